import { ApiKey, createKey } from "@tapthru/proto/keys";
import { KEYS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { addKey } from "../testing/test-keys.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";

let api: TestApi;
let ada: TestUser;
let eve: TestUser;
beforeAll(async () => {
  api = await startTestApi();
  ada = await signUpUser(api);
  eve = await signUpUser(api);
});
afterAll(() => api.stop());
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

  it("lists each scope once, in a fixed order", async () => {
    const scopes = ["clicks:read", "links:read", "clicks:read"];
    expect(await (await create({ ...VALID, scopes })).json()).toMatchObject({
      scopes: ["links:read", "clicks:read"],
    });
  });

  it.each([
    [{ ...VALID, name: " " }, messages.keyNameRequired],
    [{ ...VALID, name: "a".repeat(51) }, messages.keyNameTooLong],
    [{ ...VALID, scopes: [] }, messages.scopeRequired],
    [{ ...VALID, scopes: ["account:delete"] }, messages.malformedField("scopes")],
    [{ name: "a" }, messages.malformedField("scopes")],
    [{ ...VALID, expiresAt: "2020-01-01T00:00:00Z" }, messages.expiryInPast],
    [{ ...VALID, expiresAt: "tomorrow" }, messages.malformedField("expiresAt")],
    [{ ...VALID, userId: 1 }, messages.unexpectedField("userId")],
  ])("refuses %j", async (body, message) => {
    const response = await create(body);
    expect([response.status, await response.text()]).toEqual([422, message]);
    expect(await list()).toEqual([]);
  });

  it("creates 20 keys at most, also at the same time", async () => {
    await create(VALID, eve);
    const responses = await Promise.all(Array.from({ length: KEYS_MAX_COUNT + 5 }, () => create(VALID)));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(KEYS_MAX_COUNT).fill(201), ...Array(5).fill(409)]);
    const [key] = await list();
    await remove(key?.id ?? 0);
    expect((await create(VALID)).status).toBe(201);
    expect(await (await create(VALID)).text()).toBe(messages.tooManyKeys);
  });

  it("requires an account that is not being deleted", async () => {
    await api.query(`INSERT INTO account_deletions (firebase_uid, user_id) VALUES ('${ada.uid}', ${ada.user.id})`);
    expect((await create(VALID)).status).toBe(401);
    expect(await api.query("SELECT FROM api_keys")).toEqual([]);
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

  it.each(["0", "-1", "x", "1.5", "99999999999999999999"])("responds 404 to %s", async (id) => {
    const response = await api.request("DELETE", `/api/keys/${id}`, ada.browser);
    expect(response.status).toBe(404);
  });
});

it("keys are in the export of the account with what happened to them, and are deleted with it", async () => {
  const user = await signUpUser(api);
  const { id, key } = await addKey(api, user);
  await addKey(api, ada);
  const exported = await (await api.request("GET", "/api/account/export", user.browser)).text();
  expect(JSON.parse(exported)).toMatchObject({
    apiKeys: [{ id, name: "script" }],
    activity: [{ action: "key.created" }, { action: "account.created" }],
  });
  expect(exported).not.toContain(key.slice(7));
  await api.request("DELETE", "/api/account", user.browser, { email: user.email });
  expect(await api.query("SELECT user_id FROM api_keys")).toEqual([{ user_id: ada.user.id }]);
});
