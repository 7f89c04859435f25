import { ERRORS } from "@tapthru/proto/errors";
import { createKey, listKeys, revokeKey } from "@tapthru/proto/keys";
import { KEYS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { beforeEach, describe, expect, it } from "vitest";
import { isKey, randomKey } from "../callers/key-text.ts";
import { eventually } from "../testing/eventually.ts";
import { deleteAccount } from "../testing/test-accounts.ts";
import { addKey, type TestKey } from "../testing/test-keys.ts";
import { comparableResponse, createLink, product } from "../testing/test-links.ts";
import { bearer, signUpUser } from "../testing/test-user.ts";
import { startApi, startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
beforeEach(() => api.query("TRUNCATE api_keys, all_links, account_deletions CASCADE"));

const VALID = { name: "Nightly script", scopes: ["links:read"] };
const create = (body: object = VALID) => ada.call(createKey, { body });
const list = (user = ada) => user.call(listKeys);

const use = (headers: Record<string, string>) => api.request("GET", "/api/links", headers);
const statusOf = async (headers: Record<string, string>, at = api) =>
  (await at.request("GET", "/api/links", headers)).status;
const replica = await startApi({ REDIS_CACHE_URL: "redis://127.0.0.1:1" }, { replicaOf: api, redisBudgetMs: 250 });

describe("a user's keys", () => {
  it("shows a key once, and stores its hash", async () => {
    const expiresAt = "2099-01-01T00:00:00.000Z";
    const { key, ...listed } = await create({ ...VALID, name: "  Nightly script ", expiresAt });
    expect(listed).toMatchObject({ ...VALID, expiresAt, lastUsedAt: null, start: key.slice(0, 7) });
    expect(await list()).toEqual([listed]);
    const rows = await api.query(
      `SELECT encode(key_hash, 'hex') = encode(sha256('${key}'), 'hex') AS is_hash, * FROM api_keys`,
    );
    expect(rows).toMatchObject([{ is_hash: true }]);
    expect(JSON.stringify(rows)).not.toContain(key.slice(7));
  });

  it("lists keys newest first, which expire only if they say so, and revokes them one by one", async () => {
    const [one, other] = [await create(), await create({ ...VALID, expiresAt: null })];
    await addKey(api, eve);
    expect(await list()).toMatchObject([
      { id: other.id, expiresAt: null },
      { id: one.id, expiresAt: null },
    ]);
    expect(await ada.call(revokeKey, { params: one })).toEqual({});
    expect((await ada.refusal(revokeKey, { params: one }))[0]).toBe(404);
    expect([(await list()).map(({ id }) => id), (await list(eve)).length]).toEqual([[other.id], 1]);
  });

  it("a user has 20 keys at most, also with concurrent requests", async () => {
    const send = () => ada.send(createKey, { body: VALID });
    const statuses = (await Promise.all(Array.from({ length: KEYS_MAX_COUNT + 5 }, send))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array(KEYS_MAX_COUNT).fill(201), ...Array(5).fill(409)]);
    await ada.call(revokeKey, { params: Object((await list())[0]) });
    await create();
    expect(await ada.refusal(createKey, { body: VALID })).toEqual([409, ERRORS["too-many-keys"].message]);
  });
});

it("the minute in which a key was last used is saved, unless another replica saved a later one", async () => {
  const [later, { script }] = [await addKey(api, ada), await addKey(api, ada)];
  await addKey(api, ada);
  await api.query(`UPDATE api_keys SET last_used_at = '2099-01-01' WHERE id = ${later.id}`);
  await use(later.script);
  await use(script);
  const isRecent = "last_used_at BETWEEN now() - interval '2 minutes' AND now()";
  const saved = () => api.query(`SELECT ${isRecent} AS is_recent FROM api_keys ORDER BY id`);
  const expected = [false, true, null].map((is_recent) => ({ is_recent }));
  await eventually(async () => expect(await saved()).toEqual(expected));
});

it("a key is accepted while its use cannot be saved", async () => {
  const { script } = await addKey(api, ada);
  await api.query("REVOKE UPDATE ON api_keys FROM tapthru_api");
  expect(await statusOf(script)).toBe(200);
  const warning = expect.objectContaining({ event: "key_uses_not_saved" });
  await eventually(() => expect(api.lines).toContainEqual(warning));
  await api.query("GRANT UPDATE ON api_keys TO tapthru_api");
});

it("a revoked key is refused with its first request afterwards, also by a replica without Redis", async () => {
  const { id, script } = await addKey(api, ada);
  const statuses = async () => [await statusOf(script), await statusOf(script, replica)];
  expect(await statuses()).toEqual([200, 200]);
  await ada.call(revokeKey, { params: { id } });
  expect(await statuses()).toEqual([401, 401]);
});

describe("key access", () => {
  beforeEach(() => createLink(api, ada.browser));

  const ownerOf = async (shortCode: string) => {
    const [link] = await api.query(`SELECT user_id FROM links WHERE short_code = '${shortCode}'`);
    return link?.user_id;
  };

  describe("a key", () => {
    let key: TestKey;
    beforeEach(async () => {
      key = await addKey(api, ada);
    });

    it("decides if the request also has another user's session", async () => {
      const both = { ...eve.browser, ...key.script };
      expect(await (await use(both)).json()).toHaveLength(1);
      expect(await ownerOf(await createLink(api, both))).toBe(ada.user.id);
      expect(await statusOf({ ...eve.browser, ...bearer(randomKey()) })).toBe(401);
    });

    it("does not relax the rule for requests with cookies", async () => {
      const send = async (headers: Record<string, string>) =>
        (await api.post("/api/generate", { url: product }, { ...key.script, ...headers })).status;
      expect(await send({})).toBe(201);
      expect(await send({ origin: "https://other.example" })).toBe(201);
      expect(await send({ cookie: ada.browser.cookie })).toBe(403);
      expect(await send({ origin: api.publicBaseUrl })).toBe(201);
    });

    it("needs clicks:read for the order by clicks, whose cursor has numbers of clicks", async () => {
      const { script } = await addKey(api, ada, ["links:read"]);
      const byClicks = async (headers: Record<string, string>) =>
        (await api.request("GET", "/api/links?sort=clicks", headers)).status;
      expect([await byClicks(script), await byClicks(key.script)]).toEqual([403, 200]);
    });

    it("is refused once the deletion of its user's account was requested", async () => {
      await api.query(`INSERT INTO account_deletions (firebase_uid, user_id) VALUES ('${ada.uid}', ${ada.user.id})`);
      expect(await statusOf(key.script)).toBe(401);
    });

    it("is refused if its user's account was deleted at the identity provider", async () => {
      const user = await signUpUser(api);
      const { script } = await addKey(api, user);
      await deleteAccount(api, user);
      expect(await statusOf(script)).toBe(401);
      expect(await statusOf(script)).toBe(401);
    });
  });

  it("the reply is the same for keys that are unknown, malformed, expired and revoked", async () => {
    const expired = await addKey(api, ada);
    const revoked = await addKey(api, ada);
    await api.query(`UPDATE api_keys SET expires_at = now() WHERE id = ${expired.id}`);
    await api.request("DELETE", `/api/keys/${revoked.id}`, ada.browser);
    const wrongChecksum = `${randomKey().slice(0, -6)}zzzzzz`;
    const keys = [expired.key, revoked.key, randomKey(), wrongChecksum, "tt_", "tt_short"];
    for (const headers of [{ accept: "application/problem+json" }, {}]) {
      const responses = keys.map(async (key) => comparableResponse(await use({ ...bearer(key), ...headers })));
      const [first, ...others] = await Promise.all(responses);
      expect(others).toEqual(others.map(() => first));
    }
    const response = await use(bearer(expired.key));
    expect([response.status, await response.text()]).toEqual([401, ERRORS["bad-key"].message]);
  });
});

it("a key has a prefix, 30 random characters and a checksum of six, which scanners of others know", () => {
  const keys = Array.from({ length: 100 }, randomKey);
  for (const key of keys) expect(key).toMatch(/^tt_[0-9A-Za-z]{36}$/);
  expect(new Set(keys).size).toBe(100);
  expect(keys.every(isKey)).toBe(true);
  expect(isKey("tt_0000000000000000000000000000002C8GjS")).toBe(true);
  const [key = ""] = keys;
  const changed = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  const swapped = key.slice(0, 3) + key.slice(4, 5) + key.slice(3, 4) + key.slice(5).toLowerCase();
  for (const text of [
    changed,
    swapped,
    `TT_${key.slice(3)}`,
    `${key}0`,
    key.slice(0, -1),
    ` ${key}`,
    `${key}\n`,
    "tt_",
  ])
    expect([text, isKey(text)]).toEqual([text, false]);
});
