import { ERRORS } from "@tapthru/proto/errors";
import { beforeEach, describe, expect, it } from "vitest";
import { deleteAccount } from "../testing/test-accounts.ts";
import { addKey, type TestKey } from "../testing/test-keys.ts";
import { comparableResponse, createLink, product } from "../testing/test-links.ts";
import { bearer, signUpUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";
import { randomKey } from "./key-text.ts";

const { api, ada, eve } = await startWorld();
beforeEach(async () => {
  await api.query("TRUNCATE links, api_keys, account_deletions CASCADE");
  await createLink(api, ada.browser);
});

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
