import { waitForBlockedStatement } from "@tapthru/postgres/testing/blocked-statement";
import { ERRORS } from "@tapthru/proto/errors";
import { GeneratedLink } from "@tapthru/proto/generate";
import { RECENT_LOGIN_MS } from "@tapthru/proto/rules/limits";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { accountExists, signIn } from "../testing/test-accounts.ts";
import { connect, startAmazonAdsTest } from "../testing/test-amazon-ads.ts";
import { addUserLinks } from "../testing/test-links.ts";
import { changeSessions } from "../testing/test-sessions.ts";
import { bearer, logIn, postLogin, postUser, signUpUser, type TestUser, withCookies } from "../testing/test-user.ts";

const test = await startAmazonAdsTest();
afterAll(() => test.stop());
const { api } = test;
let ada: TestUser;
beforeEach(async () => {
  await api.empty();
  await api.query("TRUNCATE account_deletions");
  ada = await signUpUser(api);
});

const remove = (user = ada, body: unknown = { email: user.email }) =>
  api.request("DELETE", "/api/account", user.browser, body);
const sessionsOf = ({ uid, user }: TestUser) => ({ firebaseUid: uid, userId: user.id });
const statusOf = async (response: Promise<Response>) => (await response).status;
const count = async (table: string) => Number((await api.query(`SELECT count(*) FROM ${table}`))[0]?.count);

describe("DELETE /api/account", () => {
  it("deletes the user with identity and Amazon Ads connection, and no other user", async () => {
    const eve = await signUpUser(api);
    await connect(test, ada.browser);
    await connect(test, eve.browser);
    const response = await remove();
    expect([response.status, await response.json()]).toEqual([200, {}]);
    expect(await api.query("SELECT id FROM users")).toEqual([{ id: eve.user.id }]);
    expect(await api.query("SELECT user_id FROM amazon_ads_connections")).toEqual([{ user_id: eve.user.id }]);
    expect(await accountExists(api, ada)).toBe(false);
    expect(await accountExists(api, eve)).toBe(true);
  });

  it("ends all sessions, and deletes the cookie", async () => {
    const other = await logIn(api, ada);
    const response = await remove();
    expect(response.headers.getSetCookie().join()).toMatch(/sid=;.*expires=Thu, 01 Jan 1970/i);
    expect(await api.context.sessionStore.list(sessionsOf(ada))).toEqual([]);
    for (const browser of [ada.browser, other]) {
      expect(await statusOf(api.request("GET", "/api/links", browser))).toBe(401);
      expect(await statusOf(api.request("GET", "/api/account/export", browser))).toBe(401);
    }
  });

  it("does nothing with another email address", async () => {
    const response = await remove(ada, { email: "other@example.com" });
    expect([response.status, await response.text()]).toEqual([422, ERRORS["email-differs"].message]);
    expect(await count("account_deletions")).toBe(0);
    expect(await accountExists(api, ada)).toBe(true);
  });

  it("requires a login of the last ten minutes, which a new login at the provider renews", async () => {
    const authTime = Math.floor((Date.now() - RECENT_LOGIN_MS) / 1_000);
    await changeSessions(api, ada, { authTime });
    const response = await remove();
    expect([response.status, await response.text()]).toEqual([403, ERRORS["recent-login-required"].message]);
    expect([await count("users"), await count("account_deletions")]).toEqual([1, 0]);
    const renewed = { ...ada.browser, ...bearer((await signIn(api, ada)).token) };
    const browser = withCookies(ada.browser, await api.request("POST", "/api/sessions", renewed));
    expect(await statusOf(remove({ ...ada, browser }))).toBe(200);
  });

  it("does nothing if the id of the session is another user's, after Postgres lost rows", async () => {
    const eve = await signUpUser(api);
    await api.query(`
      DELETE FROM users WHERE id = ${eve.user.id};
      DELETE FROM channels;
      UPDATE users SET id = ${eve.user.id} WHERE id = ${ada.user.id};
      INSERT INTO users (id, firebase_uid, email, username, username_lookalike_key)
      VALUES (${ada.user.id}, '${eve.uid}', '${eve.email}', 'eve', 'eve')
    `);
    expect(await statusOf(remove())).toBe(401);
    expect(await statusOf(api.request("GET", "/api/account/export", ada.browser))).toBe(401);
    expect(await count("users")).toBe(2);
    expect(await count("account_deletions")).toBe(0);
  });
});

describe("deleting", () => {
  it("concurrently deletes each link once", async () => {
    await addUserLinks(api, ada.user.id, 1_200);
    const statuses = await Promise.all([1, 2, 3].map(() => statusOf(remove())));
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 401]).toContain(status);
    expect([await count("users"), await count("links")]).toEqual([0, 0]);
    expect(await count("retired_codes")).toBe(1_200);
    expect(await count("link_changes WHERE short_code !~ '^~'")).toBe(1_200);
  });

  it("a deletion leaves no link that is created concurrently, and none without a tombstone", async () => {
    await addUserLinks(api, ada.user.id, 1_200);
    const creates = Array.from({ length: 40 }, (_, i) =>
      api.post("/api/generate", { url: `https://www.amazon.de/dp/B0${i + 10000000}` }, ada.browser),
    );
    const [removed, ...responses] = await Promise.all([remove(), ...creates]);
    expect(removed?.status).toBe(200);
    for (const { status } of responses) expect([201, 401]).toContain(status);
    // Requests after the end of the session create anonymous links.
    const recorded = await api.query(
      "SELECT short_code FROM retired_codes UNION SELECT short_code FROM links WHERE user_id IS NULL",
    );
    const successes = responses.filter(({ status }) => status === 201);
    const links = await Promise.all(successes.map(async (response) => GeneratedLink.parse(await response.json())));
    expect(recorded.map((row) => row.short_code)).toEqual(
      expect.arrayContaining(links.map(({ shortCode }) => shortCode)),
    );
    expect(await api.query("SELECT FROM links WHERE user_id IS NOT NULL")).toEqual([]);
  });

  it("waits for a link that is being created, and deletes it too", async () => {
    await api.query("BEGIN");
    await addUserLinks(api, ada.user.id, 1);
    const removed = remove();
    await waitForBlockedStatement(api.query);
    await api.query("COMMIT");
    expect(await statusOf(removed)).toBe(200);
    expect([await count("users"), await count("links")]).toEqual([0, 0]);
    expect(await count("retired_codes")).toBe(1);
  });
});

describe("an account whose deletion was interrupted", () => {
  beforeEach(async () => {
    await addUserLinks(api, ada.user.id, 3);
    await api.query(`INSERT INTO account_deletions (firebase_uid, user_id) VALUES ('${ada.uid}', ${ada.user.id})`);
  });

  it("allows neither login nor sign-up", async () => {
    expect(await statusOf(postLogin(api, ada))).toBe(404);
    const response = await postUser(api, ada);
    expect([response.status, await response.text()]).toEqual([403, ERRORS["account-deleted"].message]);
    expect(await api.query("SELECT id FROM users")).toEqual([{ id: ada.user.id }]);
  });

  it("a sign-up that waited for the deletion does not create the account again", async () => {
    await api.query("BEGIN");
    await api.query(`DELETE FROM links; DELETE FROM users WHERE id = ${ada.user.id}`);
    const signUp = postUser(api, ada);
    await waitForBlockedStatement(api.query);
    await api.query("COMMIT");
    expect(await statusOf(signUp)).toBe(403);
    expect(await count("users")).toBe(0);
  });

  it("the next retry deletes the account", async () => {
    await api.context.accountDeletions.retryUnfinished();
    expect([await count("users"), await count("links")]).toEqual([0, 0]);
    expect(await accountExists(api, ada)).toBe(false);
    expect(await api.context.sessionStore.list(sessionsOf(ada))).toEqual([]);
    expect(await api.query("SELECT FROM account_deletions WHERE done_at IS NULL")).toEqual([]);
  });

  it("quarantines an account whose deletion fails by an error of ours, and deletes the others in the same round", async () => {
    const eve = await signUpUser(api);
    await api.query(`
      INSERT INTO account_deletions (firebase_uid, user_id) VALUES ('${eve.uid}', ${eve.user.id});
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'this row fails'; END $$;
      CREATE TRIGGER a_fail BEFORE DELETE ON all_links FOR EACH ROW WHEN (OLD.user_id = ${ada.user.id})
        EXECUTE FUNCTION fail()
    `);
    await api.context.accountDeletions.retryUnfinished();
    await api.query("DROP TRIGGER a_fail ON all_links; DROP FUNCTION fail");
    expect(await api.query("SELECT id FROM users")).toEqual([{ id: ada.user.id }]);
    const failed = "SELECT kind, key, error FROM failed_items";
    expect(await api.query(failed)).toEqual([
      { kind: "account-deletions", key: String(ada.user.id), error: "this row fails" },
    ]);
    await api.query("UPDATE failed_items SET retry_at = now()");
    await api.context.accountDeletions.retryUnfinished();
    expect([await count("users"), await api.query(failed)]).toEqual([0, []]);
  });
});
