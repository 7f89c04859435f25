import { waitForBlockedStatement } from "@tapthru/postgres/testing/blocked-statement";
import { ERRORS } from "@tapthru/proto/errors";
import type { USER_STATES, UserDetails } from "@tapthru/proto/operator/users";
import { RECENT_LOGIN_MS } from "@tapthru/proto/rules/limits";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { PASSWORD, signIn } from "../testing/test-accounts.ts";
import { addKey } from "../testing/test-keys.ts";
import { createLink, product } from "../testing/test-links.ts";
import { makeOperator } from "../testing/test-operator.ts";
import { bearer, newBrowser, postLogin, signUpUser, type TestUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

let ada: TestUser;
const { api, ada: operator } = await startWorld();
beforeAll(async () => {
  await makeOperator(api, operator);
});
beforeEach(async () => {
  ada = await signUpUser(api);
});

const call = (method: string, path: string, body?: object) =>
  api.request(method, `/api/operator/users${path}`, operator.browser, body);
async function details(user = ada): Promise<UserDetails> {
  return (await (await call("GET", `/${user.user.id}`)).json()) as UserDetails;
}
const setState = (state: (typeof USER_STATES)[number], { user } = ada) => call("PUT", `/${user.id}/state`, { state });
const statusOf = async (headers: Record<string, string>) => (await api.request("GET", "/api/links", headers)).status;

describe("GET /api/operator/users", () => {
  const find = async (q: string) => {
    const response = await call("GET", `?q=${encodeURIComponent(q)}`);
    const { users } = (await response.json()) as { users: UserDetails[] };
    return users.map(({ id }) => id);
  };

  it("finds a user by a part of their name or address, by a domain and by a short link", async () => {
    const shortCode = await createLink(api, ada.browser);
    await api.query(
      `INSERT INTO domains (user_id, host, proof) VALUES (${ada.user.id}, 'go.${shortCode}.example', 'x')`,
    );
    for (const q of [
      ada.user.username.slice(3).toUpperCase(),
      ada.email.slice(0, -3),
      `${shortCode}.exam`,
      `${api.publicBaseUrl}/l/${shortCode}`,
    ]) {
      expect([q, await find(q)]).toEqual([q, [ada.user.id]]);
    }
    expect(await find("%")).toEqual([]);
  });

  it("has pages, the newest first", async () => {
    await api.query(`INSERT INTO users (username, email, firebase_uid)
      SELECT 'page ' || n, 'page' || n || '@t.example', 'page' || n FROM generate_series(1, 60) n`);
    const first = await (await call("GET", "?q=page")).json();
    expect(first).toMatchObject({ nextBefore: expect.any(Number) });
    const { users, nextBefore } = first as { users: UserDetails[]; nextBefore: number };
    const second = await (await call("GET", `?q=page&before=${nextBefore}`)).json();
    expect(second).toMatchObject({ nextBefore: null });
    const all = [...users, ...(second as { users: UserDetails[] }).users].map(({ id }) => id);
    expect(all).toEqual(all.toSorted((a, b) => b - a));
    expect(new Set(all).size).toBe(60);
  });
});

it("shows links, keys, sessions, storage and the last login, and no secrets", async () => {
  await createLink(api, ada.browser);
  const { key } = await addKey(api, ada);
  const body = await (await call("GET", `/${ada.user.id}`)).text();
  expect(JSON.parse(body)).toEqual({
    id: ada.user.id,
    username: ada.user.username,
    email: ada.email,
    createdAt: ada.user.createdAt,
    isOperator: false,
    state: "enabled",
    linkCount: 1,
    keyCount: 1,
    lastLoginAt: expect.any(String),
    keys: [{ name: "script", start: key.slice(0, 7), lastUsedAt: null }],
    domains: [],
    sessionCount: 1,
    hasTwoFactor: false,
    isEmailConfirmed: true,
    storage: { clickRows: 0, earningsRows: 0 },
  });
  expect((await call("GET", "/999999999")).status).toBe(404);
});

it("an operator confirms the address of a user, who can then give others access", async () => {
  const { user, browser } = ada;
  const unconfirm = `UPDATE identity."user" SET "emailVerified" = false WHERE id = '${ada.uid}';
    UPDATE users SET email_is_verified = false WHERE id = ${user.id}`;
  await api.query(unconfirm);
  const createKey = async () => (await api.post("/api/keys", { name: "a", scopes: ["links:read"] }, browser)).status;
  expect([(await details()).isEmailConfirmed, await createKey()]).toEqual([false, 403]);
  expect((await call("POST", `/${user.id}/email-confirmation`)).status).toBe(200);
  expect([(await details()).isEmailConfirmed, await createKey()]).toEqual([true, 201]);
  // Another user has confirmed it.
  const other = await signUpUser(api);
  await api.query(`${unconfirm}; UPDATE users SET email = '${other.email}' WHERE id = ${user.id}`);
  const taken = await call("POST", `/${user.id}/email-confirmation`);
  expect([taken.status, await taken.text()]).toEqual([409, ERRORS["email-taken"].message]);
});

describe.each(["disabled", "blocked"] as const)("a user who is %s", (state) => {
  it("logs the user out, and refuses their logins and keys until they are enabled", async () => {
    const { script } = await addKey(api, ada);
    await setState(state);
    expect(await details()).toMatchObject({ state, sessionCount: 0 });
    expect([await statusOf(ada.browser), await statusOf(script)]).toEqual([401, 401]);
    const refused = [403, ERRORS["account-disabled"].message];
    const credentials = { email: ada.email, password: PASSWORD };
    const response = await api.post("/api/auth/sign-in", credentials, newBrowser(api));
    expect([response.status, await response.text()]).toEqual(refused);
    expect((await setState("enabled")).status).toBe(200);
    expect(await statusOf(script)).toBe(200);
    expect(await statusOf((await signIn(api, ada)).login)).toBe(200);
  });
});

it.each([
  ["/api/links", { url: product }],
  ["/api/generate", { url: product }],
  ["/api/links/bulk", { links: [{ url: product }] }],
])("a user who is disabled while POST %s is in progress gets 403", async (path, body) => {
  await api.query(`BEGIN; UPDATE users SET state = 'disabled' WHERE id = ${ada.user.id}`);
  const response = api.post(path, body, ada.browser);
  await waitForBlockedStatement(api.query);
  await api.query("COMMIT");
  const { status } = await response;
  expect([status, await (await response).text()]).toEqual([403, ERRORS["account-disabled"].message]);
});

it("redirects learn by one record that a user is blocked, and that they no longer are", async () => {
  const owner = `'~${ada.user.id}'`;
  const seen: unknown[] = [];
  for (const state of ["disabled", "enabled", "blocked", "blocked", "disabled", "enabled"] as const) {
    await api.query(`DELETE FROM link_changes`);
    await setState(state);
    const [change] = await api.query(`SELECT FROM link_changes WHERE short_code = ${owner}`);
    const [row] = await api.query(`SELECT record FROM redirect_records WHERE short_code = ${owner}`);
    seen.push([change !== undefined, Object(row?.record).isBlocked ?? false]);
  }
  const unchanged = [false, false];
  expect(seen).toEqual([unchanged, unchanged, [true, true], [false, true], [true, false], unchanged]);
});

describe("a user who is disabled meanwhile", () => {
  beforeEach(() =>
    api.query(`
      CREATE FUNCTION disable() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER disable BEFORE UPDATE OF last_login_at ON users FOR EACH ROW EXECUTE FUNCTION disable();
    `),
  );
  afterEach(() => api.query("DROP TRIGGER disable ON users; DROP FUNCTION disable"));

  it.each([
    ["login", () => postLogin(api, ada)],
    ["replacement of sessions", () => api.post("/api/sessions", undefined, { ...ada.browser, ...bearer(ada.token) })],
  ])("the user has no session after a %s", async (_what, send) => {
    expect((await send()).status).toBe(403);
    expect((await details()).sessionCount).toBe(0);
  });
});

it("loses the second factor and the passkeys", async () => {
  await api.query(`
    UPDATE identity."user" SET "twoFactorEnabled" = true WHERE id = '${ada.uid}';
    INSERT INTO identity."twoFactor" (id, secret, "backupCodes", "userId") VALUES ('f', 'x', 'x', '${ada.uid}');
    INSERT INTO identity.passkey (id, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp", host)
    VALUES ('p', 'x', '${ada.uid}', 'c', 0, 'x', false, 'h');
  `);
  expect(await details()).toMatchObject({ hasTwoFactor: true });
  const response = await call("DELETE", `/${ada.user.id}/two-factor`);
  expect(response.status).toBe(200);
  expect(await details()).toMatchObject({ hasTwoFactor: false });
  for (const table of ["twoFactor", "passkey"]) expect(await api.query(`SELECT FROM identity."${table}"`)).toEqual([]);
});

it("deletes a user if their name was typed, as users do themselves", async () => {
  const { id, username } = ada.user;
  const shortCode = await createLink(api, ada.browser);
  const refused = await call("DELETE", `/${id}`, { username: "ada" });
  expect([refused.status, await refused.text()]).toEqual([422, "This is not the username of the account."]);
  expect((await call("DELETE", `/${id}`, { username })).status).toBe(202);
  await eventually(async () => expect((await call("GET", `/${id}`)).status).toBe(404));
  expect(await api.query(`SELECT reason FROM retired_codes WHERE short_code = '${shortCode}'`)).toEqual([
    { reason: "deleted" },
  ]);
  expect(await statusOf(ada.browser)).toBe(401);
});

it("two operators who disable each other at the same time leave one", async () => {
  const [one, other] = [await signUpUser(api), await signUpUser(api)];
  for (const user of [one, other]) await makeOperator(api, user);
  const disable = (by: TestUser, { user }: TestUser) =>
    api.request("PUT", `/api/operator/users/${user.id}/state`, by.browser, { state: "disabled" });
  await Promise.all([disable(one, other), disable(other, one)]);
  const both = `id IN (${one.user.id}, ${other.user.id})`;
  const enabled = await api.query(`SELECT id FROM users WHERE ${both} AND state = 'enabled'`);
  expect(enabled).toHaveLength(1);
  await api.query(`UPDATE users SET is_operator = false WHERE ${both}`);
});

it("the last operator cannot delete their account while there are other users", async () => {
  const { browser, email } = operator;
  const response = await api.request("DELETE", "/api/account", browser, { email });
  expect([response.status, await response.text()]).toEqual([409, ERRORS["last-operator"].message]);
});

describe.each([
  ["DELETE", "/two-factor"],
  ["DELETE", ""],
])("%s …%s", (method, path) => {
  const send = async (headers: Record<string, string>, { user } = ada) => {
    const body = path === "" ? { username: user.username } : undefined;
    const url = `/api/operator/users/${user.id}${path}`;
    const response = await api.request(method, url, headers, body);
    return [response.status, await response.text()];
  };

  it("refuses a key, and an old login", async () => {
    const { script } = await addKey(api, operator, ["operator"]);
    expect(await send(script)).toEqual([403, ERRORS["key-not-allowed"].message]);
    const now = Date.now();
    vi.spyOn(Date, "now").mockImplementation(() => now + RECENT_LOGIN_MS + 1_000);
    const refused = await send(operator.browser);
    vi.restoreAllMocks();
    expect(refused).toEqual([403, ERRORS["recent-login-required"].message]);
  });

  it("refuses to delete another operator", async () => {
    await makeOperator(api, ada);
    const refused = await send(operator.browser);
    await api.query(`UPDATE users SET is_operator = false WHERE id = ${ada.user.id}`);
    expect(refused).toEqual([409, ERRORS["operator-account"].message]);
  });
});

it("operators cannot lock themselves out", async () => {
  const { id, username } = operator.user;
  for (const response of [
    await setState("disabled", operator),
    await setState("blocked", operator),
    await call("DELETE", `/${id}/two-factor`),
    await call("DELETE", `/${id}`, { username }),
  ]) {
    expect([response.status, await response.text()]).toEqual([409, ERRORS["own-account"].message]);
  }
  expect(await details(operator)).toMatchObject({ state: "enabled" });
});
