import { ERRORS } from "@tapthru/proto/errors";
import { ApiKey, createKey } from "@tapthru/proto/keys";
import { KEYS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { isKey, keyStart, randomKey } from "../callers/key-text.ts";
import { deleteAccount } from "../testing/test-accounts.ts";
import { addKey, type TestKey } from "../testing/test-keys.ts";
import { comparableResponse, createLink, product } from "../testing/test-links.ts";
import { bearer, signUpUser, type TestUser } from "../testing/test-user.ts";
import { startApi, startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
beforeEach(() => api.query("TRUNCATE api_keys, links, account_deletions CASCADE"));

const VALID = { name: "Nightly script", scopes: ["links:read"] };
const create = (body: unknown, user: Pick<TestUser, "browser"> = ada) => api.post("/api/keys", body, user.browser);
const remove = (id: number, user = ada) => api.request("DELETE", `/api/keys/${id}`, user.browser);

async function list(user = ada): Promise<ApiKey[]> {
  const response = await api.request("GET", "/api/keys", user.browser);
  return z.array(ApiKey).parse(await response.json());
}

const use = (headers: Record<string, string>) => api.request("GET", "/api/links", headers);
const saved = () =>
  api.query(`
    SELECT last_used_at = date_trunc('minute', last_used_at) AND
      last_used_at > now() - interval '2 minutes' AS is_recent_minute
    FROM api_keys ORDER BY id
  `);
const replica = await startApi({ REDIS_CACHE_URL: "redis://127.0.0.1:1" }, { replicaOf: api, redisBudgetMs: 250 });

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

it("the minute in which a key was last used is saved, not by the request itself", async () => {
  const { script } = await addKey(api, ada);
  await addKey(api, ada);
  await use(script);
  expect(await saved()).toEqual([{ is_recent_minute: null }, { is_recent_minute: null }]);
  await api.context.keyUses.save();
  expect(await saved()).toEqual([{ is_recent_minute: true }, { is_recent_minute: null }]);
});

it("a later time that another replica saved is kept", async () => {
  const { script } = await addKey(api, ada);
  await use(script);
  await api.query("UPDATE api_keys SET last_used_at = '2099-01-01'");
  await api.context.keyUses.save();
  expect(await api.query("SELECT FROM api_keys WHERE last_used_at = '2099-01-01'")).toHaveLength(1);
});

it("what could not be saved is saved later", async () => {
  const { script } = await addKey(api, ada);
  await use(script);
  await api.query("ALTER TABLE api_keys RENAME TO lost");
  await api.context.keyUses.save();
  await api.query("ALTER TABLE lost RENAME TO api_keys");
  expect(api.lines).toContainEqual(expect.objectContaining({ event: "key_uses_not_saved" }));
  await api.context.keyUses.save();
  expect(await saved()).toEqual([{ is_recent_minute: true }]);
});

it("a key that was revoked since is no problem", async () => {
  const { id, script } = await addKey(api, ada);
  await use(script);
  await api.request("DELETE", `/api/keys/${id}`, ada.browser);
  await api.context.keyUses.save();
  expect(await api.query("SELECT FROM api_keys")).toEqual([]);
});

it("a replica without Redis refuses a revoked key with its first request afterwards", async () => {
  const { id, script } = await addKey(api, ada);
  const statuses = () =>
    Promise.all([api, replica].map(async (one) => (await one.request("GET", "/api/links", script)).status));
  expect(await statuses()).toEqual([200, 200]);
  expect((await api.request("DELETE", `/api/keys/${id}`, ada.browser)).status).toBe(200);
  expect(await statuses()).toEqual([401, 401]);
});

describe("key access", () => {
  beforeEach(() => createLink(api, ada.browser));

  const listLinks = (headers: Record<string, string>) => api.request("GET", "/api/links", headers);
  const statusOf = async (response: Promise<Response>) => (await response).status;
  const ownerOf = async (shortCode: string) => {
    const [link] = await api.query(`SELECT user_id FROM links WHERE short_code = '${shortCode}'`);
    return link?.user_id;
  };
  const problem = { accept: "application/problem+json" };

  describe("a key", () => {
    let key: TestKey;
    beforeEach(async () => {
      key = await addKey(api, ada);
    });

    it("sees nothing of other users", async () => {
      const other = await createLink(api, eve.browser);
      expect(await statusOf(api.request("GET", `/api/links/${other}`, key.script))).toBe(404);
      expect(await (await listLinks(key.script)).json()).toHaveLength(1);
    });

    it("decides if the request also has another user's session", async () => {
      const both = { ...eve.browser, ...key.script };
      expect(await (await listLinks(both)).json()).toHaveLength(1);
      expect(await ownerOf(await createLink(api, both))).toBe(ada.user.id);
      expect(await statusOf(listLinks({ ...eve.browser, ...bearer(randomKey()) }))).toBe(401);
    });

    it("does not relax the rule for requests with cookies", async () => {
      const send = (headers: Record<string, string>) =>
        statusOf(api.post("/api/generate", { url: product }, { ...key.script, ...headers }));
      expect(await send({})).toBe(201);
      expect(await send({ origin: "https://other.example" })).toBe(201);
      expect(await send({ cookie: ada.browser.cookie })).toBe(403);
      expect(await send({ origin: api.publicBaseUrl })).toBe(201);
    });

    it("needs clicks:read for the order by clicks, whose cursor has numbers of clicks", async () => {
      const { script } = await addKey(api, ada, ["links:read"]);
      const byClicks = (headers: Record<string, string>) =>
        statusOf(api.request("GET", "/api/links?sort=clicks", headers));
      expect([await byClicks(script), await byClicks(key.script)]).toEqual([403, 200]);
    });

    it("is refused once the deletion of its user's account was requested", async () => {
      await api.query(`INSERT INTO account_deletions (firebase_uid, user_id) VALUES ('${ada.uid}', ${ada.user.id})`);
      expect(await statusOf(listLinks(key.script))).toBe(401);
    });

    it("is refused if its user's account was deleted at the identity provider", async () => {
      const user = await signUpUser(api);
      const { script } = await addKey(api, user);
      await deleteAccount(api, user);
      expect(await statusOf(listLinks(script))).toBe(401);
      expect(await statusOf(listLinks(script))).toBe(401);
    });
  });

  it("the reply is the same for keys that are unknown, malformed, expired and revoked", async () => {
    const expired = await addKey(api, ada);
    const revoked = await addKey(api, ada);
    await api.query(`UPDATE api_keys SET expires_at = now() WHERE id = ${expired.id}`);
    await api.request("DELETE", `/api/keys/${revoked.id}`, ada.browser);
    const wrongChecksum = `${randomKey().slice(0, -6)}zzzzzz`;
    const keys = [expired.key, revoked.key, randomKey(), wrongChecksum, "tt_", "tt_short"];
    for (const headers of [problem, {}]) {
      const responses = keys.map(async (key) => comparableResponse(await listLinks({ ...bearer(key), ...headers })));
      const [first, ...others] = await Promise.all(responses);
      expect(others).toEqual(others.map(() => first));
    }
    const response = await listLinks(bearer(expired.key));
    expect([response.status, await response.text()]).toEqual([401, ERRORS["bad-key"].message]);
  });
});

it("a key has the prefix, 30 random characters and a checksum of six", () => {
  const keys = Array.from({ length: 100 }, randomKey);
  for (const key of keys) expect(key).toMatch(/^tt_[0-9A-Za-z]{36}$/);
  expect(new Set(keys).size).toBe(100);
  expect(keys.every(isKey)).toBe(true);
});

it("has a known checksum, so that scanners of others agree", () => {
  expect(isKey("tt_0000000000000000000000000000002C8GjS")).toBe(true);
});

it("refuses a text with another checksum, prefix or length", () => {
  const key = randomKey();
  const last = key.endsWith("0") ? "1" : "0";
  for (const text of [
    key.slice(0, -1) + last,
    key.slice(0, 3) + key.slice(4, 5) + key.slice(3, 4) + key.slice(5).toLowerCase(),
    `TT_${key.slice(3)}`,
    `${key}0`,
    key.slice(0, -1),
    ` ${key}`,
    `${key}\n`,
    "tt_",
  ]) {
    expect([text, isKey(text)]).toEqual([text, false]);
  }
});

it("the start shows four of the random characters", () => {
  const key = randomKey();
  expect(keyStart(key)).toBe(key.slice(0, 7));
});
