import { ERRORS } from "@tapthru/proto/errors";
import { describe, expect, it } from "vitest";
import { newBrowser, withCookies } from "../testing/browser-headers.ts";
import { accountOf, createAccount, newEmail, PASSWORD, signIn } from "../testing/test-accounts.ts";
import { emailedToken, emailsTo, emailTo } from "../testing/test-emails.ts";
import { addKey } from "../testing/test-keys.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const api = await startApi({ SMTP_FROM: "hello@tapthru.example" });

const NEW_PASSWORD = "battery staple";
const call = (method: string, path: string, body?: object, browser: object = newBrowser(api)) =>
  api.request(method, `/api/auth/${path}`, { ...browser }, body);
const askForReset = (email: string) => call("POST", "password-reset", { email });
const reset = (token: string, password = NEW_PASSWORD) => call("PUT", "password-reset", { token, password });
const confirm = (token: string, password = PASSWORD) => call("PUT", "email-confirmation", { token, password });
const isLoggedIn = async (login: object) => (await call("GET", "passkeys", undefined, login)).ok;

/** Makes a login older than a recent one. */
const age = (uid: string) =>
  api.query(`
    UPDATE identity.session SET "createdAt" = now() - interval '11 minutes' WHERE "userId" = '${uid}'
  `);

describe("a password reset", () => {
  it("changes the password and ends all logins and sessions", async () => {
    const user = await signUpUser(api);
    await askForReset(user.email);
    const token = await emailedToken(api, user.email, "reset-password");
    expect((await reset(token)).status).toBe(200);
    expect(await isLoggedIn(user.login)).toBe(false);
    expect((await api.request("GET", "/api/sessions", user.browser)).status).toBe(401);
    expect((await signIn(api, user, NEW_PASSWORD)).uid).toBe(user.uid);
    await expect(signIn(api, user)).rejects.toThrow(ERRORS["wrong-credentials"].message);
  });

  it("names the API keys to the holder of the link, and revokes them if they want", async () => {
    const user = await signUpUser(api);
    const { script } = await addKey(api, user);
    await askForReset(user.email);
    const token = await emailedToken(api, user.email, "reset-password");
    const names = await call("POST", "password-reset/keys", { token });
    expect(await names.json()).toEqual({ names: ["script"] });
    expect((await call("POST", "password-reset/keys", { token: "unknown" })).status).toBe(410);
    const body = { token, password: NEW_PASSWORD, revokesKeys: true };
    expect((await call("PUT", "password-reset", body)).status).toBe(200);
    expect((await api.request("GET", "/api/links", script)).status).toBe(401);
  });

  it("is not reported as failed when it was done", async () => {
    const user = await signUpUser(api);
    await askForReset(user.email);
    const token = await emailedToken(api, user.email, "reset-password");
    // It is recorded last.
    await api.query("REVOKE INSERT ON audit_log FROM tapthru_api");
    expect((await reset(token)).status).toBe(200);
    await api.query("GRANT INSERT ON audit_log TO tapthru_api");
    expect((await signIn(api, user, NEW_PASSWORD)).uid).toBe(user.uid);
  });

  it("replies the same for an unknown address", async () => {
    const { email } = await createAccount(api);
    const unknown = newEmail();
    const replies = await Promise.all([askForReset(email), askForReset(unknown)]);
    const [known, other] = await Promise.all(replies.map((reply) => reply.text()));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(other).toBe(known);
    expect(await emailsTo(api, unknown)).toEqual([]);
  });

  it("ends links that were sent to another address", async () => {
    const user = await signUpUser(api);
    const other = newEmail();
    await call("PUT", "email", { email: other }, user.login);
    await askForReset(user.email);
    await reset(await emailedToken(api, user.email, "reset-password"));
    expect((await confirm(await emailedToken(api, other, "change-email"), NEW_PASSWORD)).status).toBe(410);
  });

  it("sends a link for each account of an address, which the email names", async () => {
    const email = newEmail();
    const accounts = [await createAccount(api, email), await createAccountAgain(email)];
    await askForReset(email);
    const emails = [await emailTo(api, email, "reset-password"), await emailTo(api, email, "reset-password", 2)];
    const names = await Promise.all(accounts.map(async ({ login }) => (await accountOf(api, login))?.name));
    expect(emails.map(({ displayName }) => displayName)).toEqual(names);
    expect((await reset(new URL(emails[1]?.url ?? "").hash.slice(7), "third password")).status).toBe(200);
    expect((await signIn(api, { email }, "third password")).uid).toBe(accounts[1]?.uid);
  });
});

describe("an email address", () => {
  it("belongs to the user who confirms it, not to the one who entered it first", async () => {
    const email = newEmail();
    const first = await createAccount(api, email);
    const owner = await createAccountAgain(email);
    expect((await confirm(await emailedToken(api, email, "confirm-email", 2), NEW_PASSWORD)).status).toBe(200);
    expect((await signIn(api, { email }, NEW_PASSWORD)).uid).toBe(owner.uid);
    expect(await accountOf(api, owner.login)).toMatchObject({ isEmailVerified: true });
    const again = await signIn(api, { email });
    expect(await accountOf(api, again.login)).toMatchObject({ uid: first.uid, isEmailVerified: false });
    const late = await call("POST", "email-confirmation", {}, first.login);
    expect(late.status).toBe(200);
    await emailTo(api, email, "existing-account");
  });

  it("that is not confirmed is that of four accounts at most", async () => {
    const email = newEmail();
    const accounts = [await createAccount(api, email)];
    for (const _ of [2, 3, 4]) accounts.push(await createAccount(api, email));
    await expect(createAccount(api, email)).rejects.toThrow(ERRORS["email-taken"].message);
    expect((await signIn(api, { email })).uid).toBe(accounts[0]?.uid);
  });

  it("that another user has confirmed cannot be taken by a change, and the reply does not reveal it", async () => {
    const [account, owner] = [await createAccount(api), await createAccount(api)];
    await confirm(await emailedToken(api, owner.email, "confirm-email"));
    const before = await emailsTo(api, owner.email);
    const response = await call("PUT", "email", { email: owner.email }, account.login);
    expect(response.status).toBe(200);
    expect(await emailsTo(api, owner.email)).toEqual(before);
  });
});

/** Another account with the address, by another person. */
async function createAccountAgain(email: string) {
  const body = { displayName: `owner ${email.slice(0, 12)}`, email, password: NEW_PASSWORD };
  const response = await call("POST", "sign-up", body);
  const login = withCookies(newBrowser(api), response);
  const account = await accountOf(api, login);
  if (account === null) throw new Error("No user is logged in");
  return account;
}

describe("a link that confirms an address", () => {
  it("works once, and not for another account", async () => {
    const [account, other] = [await createAccount(api), await createAccount(api)];
    const token = await emailedToken(api, account.email, "confirm-email");
    const asOther = await call("PUT", "email-confirmation", { token }, other.login);
    expect([asOther.status, await asOther.text()]).toEqual([403, ERRORS["email-link-of-other-account"].message]);
    const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await confirm(token)).status));
    expect(statuses.sort()).toEqual([200, 410, 410, 410]);
  });

  it("requires the login of its account, or its password", async () => {
    const account = await createAccount(api);
    const token = await emailedToken(api, account.email, "confirm-email");
    const bare = await call("PUT", "email-confirmation", { token });
    expect([bare.status, await bare.text()]).toEqual([401, ERRORS["login-required"].message]);
    const wrong = await confirm(token, NEW_PASSWORD);
    expect([wrong.status, await wrong.text()]).toEqual([401, ERRORS["wrong-credentials"].message]);
    expect((await call("PUT", "email-confirmation", { token }, account.login)).status).toBe(200);
  });

  it("remains valid if the address could not be confirmed", async () => {
    const account = await createAccount(api);
    const token = await emailedToken(api, account.email, "confirm-email");
    await api.query(`REVOKE UPDATE ON identity."user" FROM tapthru_api`);
    expect((await confirm(token)).status).toBe(503);
    await api.query(`GRANT UPDATE ON identity."user" TO tapthru_api`);
    expect((await confirm(token)).status).toBe(200);
  });

  it("ends with a change of the address", async () => {
    const account = await createAccount(api);
    const [first, second] = [newEmail(), newEmail()];
    for (const email of [first, second]) await call("PUT", "email", { email }, account.login);
    const late = await emailedToken(api, first, "change-email");
    expect((await confirm(await emailedToken(api, second, "change-email"))).status).toBe(200);
    expect((await confirm(late)).status).toBe(410);
  });
});

describe("an old login", () => {
  it.each([
    ["PUT", "email", { email: "other@example.com" }],
    ["PUT", "password", { currentPassword: PASSWORD, password: NEW_PASSWORD }],
    ["POST", "two-factor", { password: PASSWORD }],
    ["POST", "recovery-codes", { password: PASSWORD }],
    ["DELETE", "two-factor", { password: PASSWORD }],
    ["POST", "passkeys/options", {}],
    ["POST", "passkeys", { name: "Phone", response: {} }],
    ["DELETE", "passkeys/1", undefined],
  ])("cannot %s %s", async (method, path, body) => {
    const account = await createAccount(api);
    await age(account.uid);
    const response = await call(method, path, body, account.login);
    expect([response.status, await response.text()]).toEqual([403, ERRORS["recent-login-required"].message]);
  });
});

it("changes the password, and ends all other logins, sessions and, if the user wants, keys", async () => {
  const account = await signUpUser(api);
  const { script } = await addKey(api, account);
  const other = await signIn(api, account);
  const wrong = { currentPassword: "wrong horse", password: NEW_PASSWORD };
  expect((await call("PUT", "password", wrong, account.login)).status).toBe(401);
  const body = { currentPassword: PASSWORD, password: NEW_PASSWORD, revokesKeys: true };
  const response = await call("PUT", "password", body, account.login);
  expect(await response.json()).toEqual({ hasEndedSessions: true, hasRevokedKeys: true });
  const browser = withCookies(account.login, response);
  expect(await isLoggedIn(browser)).toBe(true);
  expect(await isLoggedIn(other.login)).toBe(false);
  const statuses = [browser, other.login, account.login, script].map(
    async (headers) => (await api.request("GET", "/api/links", headers)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 401, 401, 401]);
  await signIn(api, account, NEW_PASSWORD);
});

it("renames the identity with the user, by whose name emails address them", async () => {
  const { uid, browser } = await signUpUser(api);
  const username = `Anna ${newEmail().slice(0, 12)}`;
  expect((await api.request("PATCH", `/api/users/${uid}`, browser, { username })).status).toBe(200);
  expect(await api.query(`SELECT name FROM identity."user" WHERE id = '${uid}'`)).toEqual([{ name: username }]);
});

it("gives a confirmed address to the user at once", async () => {
  const { browser, login } = await signUpUser(api);
  const email = newEmail();
  await call("PUT", "email", { email }, login);
  await confirm(await emailedToken(api, email, "change-email"));
  expect(await (await api.request("GET", "/api/session", browser)).json()).toMatchObject({
    login: { user: { email } },
  });
});
