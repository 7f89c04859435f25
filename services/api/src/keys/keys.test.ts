import { ERRORS } from "@tapthru/proto/errors";
import { ApiKey, createKey } from "@tapthru/proto/keys";
import { KEYS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { addKey } from "../testing/test-keys.ts";
import type { TestUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
beforeEach(() => api.query("TRUNCATE api_keys, account_deletions"));

const VALID = { name: "Nightly script", scopes: ["links:read"] };
const create = (body: unknown, user: Pick<TestUser, "browser"> = ada) => api.post("/api/keys", body, user.browser);
const remove = (id: number, user = ada) => api.request("DELETE", `/api/keys/${id}`, user.browser);

async function list(user = ada): Promise<ApiKey[]> {
  const response = await api.request("GET", "/api/keys", user.browser);
  return z.array(ApiKey).parse(await response.json());
}

describe("POST /api/keys", () => {
  it("returns the key once, and stores only its hash", async () => {
    const expiresAt = "2099-01-01T00:00:00.000Z";
    const response = await create({ ...VALID, name: "  Nightly script ", expiresAt });
    expect(response.status).toBe(201);
    const { key, ...listed } = createKey.replies[201].parse(await response.json());
    expect(listed).toMatchObject({ ...VALID, expiresAt, lastUsedAt: null, start: key.slice(0, 7) });
    expect(await list()).toEqual([listed]);
    const rows = await api.query(
      `SELECT encode(key_hash, 'hex') = encode(sha256('${key}'), 'hex') AS is_hash, * FROM api_keys`,
    );
    expect(rows).toMatchObject([{ is_hash: true }]);
    expect(JSON.stringify(rows)).not.toContain(key.slice(7));
  });

  it.each([{}, { expiresAt: null }])("creates a key that does not expire with %j", async (expiry) => {
    const response = await create({ ...VALID, ...expiry });
    expect(response.status).toBe(201);
    expect(await list()).toMatchObject([{ ...VALID, expiresAt: null }]);
  });

  it("creates 20 keys at most, also at the same time", async () => {
    await create(VALID, eve);
    const responses = await Promise.all(Array.from({ length: KEYS_MAX_COUNT + 5 }, () => create(VALID)));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(KEYS_MAX_COUNT).fill(201), ...Array(5).fill(409)]);
    const [key] = await list();
    await remove(key?.id ?? 0);
    expect((await create(VALID)).status).toBe(201);
    expect(await (await create(VALID)).text()).toBe(ERRORS["too-many-keys"].message);
  });
});

describe("GET /api/keys", () => {
  it("lists the user's own keys, newest first", async () => {
    const one = await addKey(api, ada);
    const other = await addKey(api, ada);
    await addKey(api, eve);
    expect((await list()).map(({ id }) => id)).toEqual([other.id, one.id]);
  });
});

describe("DELETE /api/keys/{id}", () => {
  it("revokes the user's own key and no other", async () => {
    const { id } = await addKey(api, ada);
    const kept = await addKey(api, ada);
    expect((await remove(id, eve)).status).toBe(404);
    const response = await remove(id);
    expect([response.status, await response.json()]).toEqual([200, {}]);
    expect((await list()).map((key) => key.id)).toEqual([kept.id]);
    expect((await remove(id)).status).toBe(404);
  });
});
