import { hash } from "@node-rs/argon2";
import { ERRORS } from "@tapthru/proto/errors";
import {
  getIdentity,
  listPasskeys,
  signInIdentity,
  signOutIdentity,
  signUpIdentity,
  startTwoFactor,
  verifyCode,
} from "@tapthru/proto/identity";
import { getSession } from "@tapthru/proto/sessions";
import type { Context } from "koa";
import { beforeEach, describe, expect, it } from "vitest";
import { NO_RATE_LIMITS } from "../http/rate-limits.ts";
import { createAuthenticator } from "../testing/authenticator.ts";
import { type BrowserHeaders, newBrowser, withCookies } from "../testing/browser-headers.ts";
import { eventually } from "../testing/eventually.ts";
import {
  accountOf,
  createAccount,
  newEmail,
  PASSWORD,
  signIn,
  signUp as signUpAt,
  type TestAccount,
  verifyEmail,
} from "../testing/test-accounts.ts";
import { startTestApi, TEST_ENCRYPTION_KEY } from "../testing/test-api.ts";
import { emailedToken, emailsTo, emailTo } from "../testing/test-emails.ts";
import { addKey } from "../testing/test-keys.ts";
import { postLogin, postUser, signUpUser } from "../testing/test-user.ts";
import { nextTotp, totp } from "../testing/totp.ts";
import { startApi } from "../testing/world.ts";
import { createLoginLimits } from "./login-api.ts";

const api = await startApi({ SMTP_FROM: "hello@tapthru.example" });
beforeEach(() => {
  email = newEmail();
  person = { displayName: `Anna ${email.slice(0, 12)}`, email, password: PASSWORD };
});

let email: string;
let person: { displayName: string; email: string; password: string };
const other = () => ({ ...person, displayName: `Eve ${newEmail().slice(0, 12)}` });
const signUp = (body: object = person, at = api) => at.post(signUpIdentity.path, body, newBrowser(at));

const NEW_PASSWORD = "battery staple";
const call = (method: string, path: string, body?: object, browser: object = newBrowser(api)) =>
  api.request(method, `/api/auth/${path}`, { ...browser }, body);
const askForReset = (email: string) => call("POST", "password-reset", { email });
const reset = (token: string, password = NEW_PASSWORD) => call("PUT", "password-reset", { token, password });
const confirm = (token: string, password = PASSWORD) => call("PUT", "email-confirmation", { token, password });
const isLoggedIn = async (login: object) => (await call("GET", "passkeys", undefined, login)).ok;

const age = (uid: string) =>
  api.query(`
    UPDATE identity.session SET "createdAt" = now() - interval '11 minutes' WHERE "userId" = '${uid}'
  `);

async function createAccountAgain(email: string) {
  const body = { displayName: `owner ${email.slice(0, 12)}`, email, password: NEW_PASSWORD };
  const response = await call("POST", "sign-up", body);
  const login = withCookies(newBrowser(api), response);
  const account = await accountOf(api, login);
  if (account === null) throw new Error("No user is logged in");
  return account;
}

describe("POST /api/auth/sign-up", () => {
  it("creates an account that is logged in, and sends a link that confirms the address", async () => {
    const response = await signUp();
    expect(response.status).toBe(200);
    const login = await response.json();
    expect(login).toMatchObject({
      user: { username: person.displayName, email, isOperator: false },
      identity: { uid: expect.any(String), email, hasPassword: true, hasTwoFactor: false },
    });
    const browser = withCookies(newBrowser(api), response);
    expect(await (await api.request("GET", getSession.path, browser)).json()).toEqual({ login });
    expect((await api.request("GET", "/api/links", browser)).status).toBe(200);
    await emailTo(api, email, "confirm-email");
  });

  it("simultaneous sign-ups with one username give it to one user and leave no identity of the others", async () => {
    const replies = await Promise.all(Array.from({ length: 4 }, () => signUp({ ...person, email: newEmail() })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const names = await api.query(`SELECT FROM identity."user" WHERE name = '${person.displayName}'`);
    expect(names).toHaveLength(1);
  });

  it("replies the same for an address in use, and creates another identity", async () => {
    const first = await signUp();
    const second = await signUp({ ...other(), password: "battery staple" });
    const keysOf = async (reply: Response) => Object.keys(Object(await reply.json()));
    expect([second.status, await keysOf(second)]).toEqual([first.status, await keysOf(first)]);
    const names = (response: Response) => [...response.headers.keys()].sort();
    expect(names(second)).toEqual(names(first));
    const cookie = withCookies(newBrowser(api), second);
    const identity = await accountOf(api, cookie);
    const account = await signIn(api, { email });
    expect(identity).toMatchObject({ email, isEmailVerified: false });
    expect(identity?.uid).not.toBe(account.uid);
  });

  it("informs the owner of a confirmed address that there is an account already", async () => {
    const owner = await createAccount(api, email);
    const confirm = { token: await emailedToken(api, email, "confirm-email") };
    await api.request("PUT", "/api/auth/email-confirmation", owner.login, confirm);
    await signUp(other());
    await emailTo(api, email, "existing-account");
    expect((await signIn(api, owner)).uid).toBe(owner.uid);
  });

  it("refuses an address in use where no emails are sent", async () => {
    const silent = await startTestApi();
    await signUp(person, silent);
    const response = await signUp(other(), silent);
    expect([response.status, await response.text()]).toEqual([409, ERRORS["email-taken"].message]);
    await silent.stop();
  });

  it.each(["Football", "ｆｏｏｔｂａｌｌ"])("refuses the leaked password %s", async (password) => {
    const response = await signUp({ ...person, password });
    expect([response.status, await response.text()]).toEqual([422, ERRORS["breached-password"].message]);
    expect(await emailsTo(api, email)).toEqual([]);
  });
});

describe("logins", () => {
  it("a login opens a session in the same reply, which is a new one each time", async () => {
    const user = await signUpUser(api);
    const body = { email: user.email, password: PASSWORD };
    const response = await api.post(signInIdentity.path, body, user.browser);
    expect(await response.json()).toMatchObject({ login: { user: user.user, identity: { uid: user.uid } } });
    expect((await api.request("GET", "/api/links", withCookies(user.browser, response))).status).toBe(200);
    expect((await api.request("GET", "/api/links", user.browser)).status).toBe(401);
  });

  it("a login creates the user whose sign-up was interrupted", async () => {
    const account = await createAccount(api);
    const response = await api.post(signInIdentity.path, { email: account.email, password: PASSWORD }, newBrowser(api));
    expect(await response.json()).toMatchObject({ login: { user: { username: expect.stringMatching(/^person /) } } });
  });

  it("opens no session for a disabled user", async () => {
    const user = await signUpUser(api);
    await api.query(`UPDATE users SET state = 'disabled' WHERE id = ${user.user.id}`);
    const response = await api.post(signInIdentity.path, { email: user.email, password: PASSWORD }, newBrowser(api));
    expect([response.status, await response.text()]).toEqual([403, ERRORS["account-disabled"].message]);
    expect(await (await api.request("GET", getSession.path, user.browser)).json()).toEqual({ login: null });
    expect([(await postLogin(api, user)).status, (await postLogin(api, user)).status]).toEqual([403, 401]);
  });

  it("ends a login that can have no account, because another user has the address", async () => {
    const [user, account] = [await signUpUser(api), await createAccount(api, email)];
    await verifyEmail(api, account);
    await api.query(`UPDATE users SET email = '${email}', email_is_verified = true WHERE id = ${user.user.id}`);
    const create = () => postUser(api, account).then(({ status }) => status);
    expect([await create(), await create()]).toEqual([409, 401]);
  });

  it("a login opens a lost session again, and keeps one that is as recent", async () => {
    const user = await signUpUser(api);
    const { id } = user.user;
    await api.context.sessionStore.endAll({ userId: id, firebaseUid: user.uid });
    expect(await (await api.request("GET", getSession.path, user.browser)).json()).toEqual({ login: null });
    const identity = getIdentity.replies[200].parse(
      await (await api.request("GET", getIdentity.path, user.browser)).json(),
    );
    expect(identity).toMatchObject({ uid: user.uid, email: user.email, displayName: user.user.username });
    const response = await postLogin(api, user, user.browser);
    expect(await response.json()).toMatchObject({ id });
    const browser = withCookies(user.browser, response);
    expect((await postLogin(api, user, browser)).headers.getSetCookie()).toEqual([]);
    await api.query(`
      UPDATE identity.session SET "createdAt" = now() + interval '1 minute' WHERE "userId" = '${user.uid}'
    `);
    expect((await postLogin(api, user, browser)).headers.getSetCookie()).toHaveLength(2);
  });

  it("a session ends with the logout at the provider", async () => {
    const { login } = await signUpUser(api);
    await api.post(signOutIdentity.path, {}, login);
    for (const path of [listPasskeys.path, getIdentity.path]) {
      expect((await api.request("GET", path, login)).status).toBe(401);
    }
  });

  it("logins end with their sessions, in time and by DELETE /api/sessions/:id", async () => {
    const [user, other] = [await signUpUser(api), await signUpUser(api)];
    const key = { userId: user.user.id, firebaseUid: user.uid };
    await api.query(
      `UPDATE identity.session SET "expiresAt" = now() + interval '1 day' WHERE "userId" = '${user.uid}'`,
    );
    await api.context.sessionStore.endAll(key);
    const browser = withCookies(user.browser, await postLogin(api, user));
    const [session] = await api.context.sessionStore.list(key);
    expect(session?.createdAt).toBeLessThan(Date.now() - 12 * 24 * 60 * 60 * 1_000);
    await api.request("DELETE", `/api/sessions/${session?.id}`, browser);
    expect([(await postLogin(api, user)).status, (await postLogin(api, other)).status]).toEqual([401, 200]);
  });

  it("refuses a wrong password and an unknown address alike", async () => {
    await createAccount(api, email);
    const replies = await Promise.all(
      [
        { email, password: "wrong horse" },
        { email: "unknown@example.com", password: PASSWORD },
      ].map((body) => api.post(signInIdentity.path, body, newBrowser(api))),
    );
    const [wrong, unknown] = await Promise.all(replies.map((reply) => reply.text()));
    expect(replies.map(({ status }) => status)).toEqual([401, 401]);
    expect([wrong, unknown]).toEqual(Array(2).fill(ERRORS["wrong-credentials"].message));
    expect(await api.context.registry.getSingleMetricAsString("tapthru_api_errors_total")).toMatch(
      `{route="${signInIdentity.path}",code="wrong-credentials"}`,
    );
  });
});

const FORMS = [
  ["pa\u0308sswort-77", "p\u00E4sswort-77"],
  ["비밀번호-77".normalize("NFD"), "비밀번호-77"],
  ["ｔａｐ－ｔｈｒｕ－７７", "tap-thru-77"],
  ["\uFB01sh and \u212Bngstro\u0308m", "fish and \u00C5ngstr\u00F6m"],
  ["ﾊﾟｽﾜｰﾄﾞ-77", "パスワード-77"],
  ["blank\u00A0and\u2003space", "blank and space"],
] as const;

describe("a password that can be typed in several forms", () => {
  it.each(FORMS)("%s is the same as %s for every call", async (one, other) => {
    const response = await signUp({ ...person, password: one });
    const browser = withCookies(newBrowser(api), response);
    const token = await emailedToken(api, email, "confirm-email");
    expect((await confirm(token, other)).status).toBe(200);
    await signIn(api, { email }, other);
    expect((await call("POST", "two-factor", { password: other }, browser)).status).toBe(200);
    const change = { currentPassword: other, password: `${other} 2` };
    expect((await call("PUT", "password", change, browser)).status).toBe(200);
    await signIn(api, { email }, `${one} 2`);
    await askForReset(email);
    expect((await reset(await emailedToken(api, email, "reset-password"), `${one} 3`)).status).toBe(200);
    await signIn(api, { email }, `${other} 3`);
  });

  it.each(FORMS)("%s is accepted if its hash was made of the text as typed", async (one, other) => {
    const account = await signUpAt(api, email);
    const set = async (stored: string) =>
      api.query(`UPDATE identity.account SET password = '${stored}' WHERE "userId" = '${account.uid}'`);
    await set(await hash(one));
    await signIn(api, { email }, one);
    await expect(signIn(api, { email }, `${other} 2`)).rejects.toThrow(ERRORS["wrong-credentials"].message);
  });
});

describe("two-factor login", () => {
  async function turnOn() {
    const account = await signUpAt(api, email);
    const { setupUrl, recoveryCodes } = startTwoFactor.replies[200].parse(
      await (await api.post(startTwoFactor.path, { password: PASSWORD }, account.login)).json(),
    );
    const response = await api.post(verifyCode.path, { code: totp(setupUrl) }, account.login);
    expect(response.status).toBe(200);
    return { ...account, setupUrl, recoveryCodes, login: withCookies(account.login, response) };
  }

  async function startLogin(at = api) {
    const response = await at.post(signInIdentity.path, { email, password: PASSWORD }, newBrowser(api));
    expect(await response.json()).toEqual({ login: null });
    return withCookies(newBrowser(api), response);
  }

  it("requires a code of the authenticator app", async () => {
    const { setupUrl, uid } = await turnOn();
    const browser = await startLogin();
    expect((await api.request("GET", listPasskeys.path, browser)).status).toBe(401);
    const account = { uid, email, token: "", login: browser };
    for (const call of [postLogin, postUser]) expect((await call(api, account)).status).toBe(401);
    const wrong = await api.post(verifyCode.path, { code: "000000" }, browser);
    expect([wrong.status, await wrong.text()]).toEqual([401, ERRORS["wrong-code"].message]);
    const right = await api.post(verifyCode.path, { code: nextTotp(setupUrl) }, browser);
    expect(right.status).toBe(200);
    expect((await api.request("GET", listPasskeys.path, withCookies(browser, right))).status).toBe(200);
  });

  it("accepts each recovery code once, also if three logins use it at once", async () => {
    const [first, second] = (await turnOn()).recoveryCodes;
    const use = async (code = first) => api.post(verifyCode.path, { code }, await startLogin());
    expect([(await use()).status, (await use()).status]).toEqual([200, 401]);
    const browsers = [await startLogin(), await startLogin(), await startLogin()];
    await api.query(`BEGIN; SELECT FROM identity."twoFactor" FOR UPDATE`);
    const replies = browsers.map((browser) => api.post(verifyCode.path, { code: second }, browser));
    const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await eventually(async () => {
      await api.query("SELECT pg_stat_clear_snapshot()");
      expect(await api.query(waiting)).toHaveLength(3);
    });
    await api.query("COMMIT");
    expect((await Promise.all(replies)).map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it("accepts each code of the app once, also if two logins use it at once", async () => {
    const { setupUrl } = await turnOn();
    const code = nextTotp(setupUrl);
    const browsers = [await startLogin(), await startLogin()];
    const replies = await Promise.all(browsers.map((browser) => api.post(verifyCode.path, { code }, browser)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
    const later = await api.post(verifyCode.path, { code }, await startLogin());
    expect([later.status, await later.text()]).toEqual([401, ERRORS["code-used"].message]);
  });

  it("works with secrets that were encrypted with an earlier key", async () => {
    const { setupUrl } = await turnOn();
    const ENCRYPTION_KEYS = ["a-newer-key-that-encrypts-secrets-of-tests", TEST_ENCRYPTION_KEY];
    const replica = await startTestApi({ ENCRYPTION_KEYS }, { replicaOf: api });
    const browser = await startLogin(replica);
    const response = await replica.post(verifyCode.path, { code: nextTotp(setupUrl) }, browser);
    expect(response.status).toBe(200);
    expect((await replica.request("GET", listPasskeys.path, withCookies(browser, response))).status).toBe(200);
    await replica.stop();
  });

  it("gives up a login after five wrong codes", async () => {
    const { setupUrl } = await turnOn();
    const browser = await startLogin();
    for (let attempt = 0; attempt < 5; attempt++) {
      await api.post(verifyCode.path, { code: "000000" }, browser);
    }
    const late = await api.post(verifyCode.path, { code: totp(setupUrl) }, browser);
    expect([late.status, await late.text()]).toEqual([401, ERRORS["login-expired"].message]);
  });
});

describe("a passkey", () => {
  const passkeysOf = async (browser: BrowserHeaders, at = api) => {
    const [passkey] = listPasskeys.replies[200].parse(
      await (await at.request("GET", listPasskeys.path, browser)).json(),
    );
    return passkey;
  };
  const create = async (account: TestAccount) => {
    const authenticator = createAuthenticator(api.publicBaseUrl);
    const options = await call("POST", "passkeys/options", {}, account.login);
    const browser = withCookies(account.login, options);
    const response = authenticator.create(Object(await options.json()));
    expect((await call("POST", "passkeys", { name: "Phone", response }, browser)).status).toBe(200);
    return authenticator;
  };

  it("lists a passkey with its host if the site has another one", async () => {
    const account = await signUpAt(api, email);
    await create(account);
    expect(await passkeysOf(account.login)).toMatchObject({ name: "Phone", otherHost: null });
    const moved = await startTestApi({ PUBLIC_BASE_URL: "https://links.anna.example" }, { replicaOf: api });
    const cookie = account.login.cookie.replace("login.session_token", "__Host-login.session_token");
    const otherHost = new URL(api.publicBaseUrl).hostname;
    expect(await passkeysOf({ ...newBrowser(moved), cookie }, moved)).toMatchObject({ otherHost });
    await moved.stop();
  });

  it("logs in", async () => {
    const authenticator = await create(await signUpAt(api, email));
    const options = await call("POST", "passkey-login/options", {});
    const response = authenticator.use(Object(await options.json()));
    const login = await call("POST", "passkey-login", { response }, withCookies(newBrowser(api), options));
    expect(login.status).toBe(200);
  });
});

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

  it("does not report a reset as failed when it was done", async () => {
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

  it("sends a link for each account of an address, and says when the account was created", async () => {
    const email = newEmail();
    const accounts = [await createAccount(api, email), await createAccountAgain(email)];
    await askForReset(email);
    const emails = [await emailTo(api, email, "reset-password"), await emailTo(api, email, "reset-password", 2)];
    const times = await api.query(`
      SELECT utc_text("createdAt") AS at FROM identity."user" WHERE address = '${email}' ORDER BY "createdAt"
    `);
    expect(emails.map(({ createdAt }) => createdAt)).toEqual(times.map(({ at }) => at));
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

  it("at most four accounts have the same unconfirmed email address", async () => {
    const email = newEmail();
    const accounts = [await createAccount(api, email)];
    for (const _ of [2, 3, 4]) accounts.push(await createAccount(api, email));
    await expect(createAccount(api, email)).rejects.toThrow(ERRORS["email-taken"].message);
    expect((await signIn(api, { email })).uid).toBe(accounts[0]?.uid);
  });

  it("a change cannot take an address that another user has confirmed, and the reply does not reveal it", async () => {
    const [account, owner] = [await createAccount(api), await createAccount(api)];
    await confirm(await emailedToken(api, owner.email, "confirm-email"));
    const before = await emailsTo(api, owner.email);
    const response = await call("PUT", "email", { email: owner.email }, account.login);
    expect(response.status).toBe(200);
    expect(await emailsTo(api, owner.email)).toEqual(before);
  });
});

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
  ])("an old login cannot %s %s", async (method, path, body) => {
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

it("hashes one password of strangers at a time and refuses more than 20 that wait, while one of a known browser is hashed", async () => {
  const { hash } = createLoginLimits({
    db: { maybeOne: () => Promise.resolve(null as never) },
    publicBaseUrl: "https://t.example",
    hasLimits: true,
    identityLimit: NO_RATE_LIMITS("identity"),
    addressOf: () => "192.0.2.1",
  });
  const releaseSlotDuring = <T>(wait: () => Promise<T>) => wait();
  const ctx = { state: { releaseSlotDuring } } as Context;
  const { promise: end, resolve } = Promise.withResolvers<void>();
  let inProgress = 0;
  const start = (isKnown: boolean) =>
    hash(ctx, isKnown, async () => {
      inProgress += 1;
      await end;
      return "done";
    }).catch(({ code }) => code);
  const strangers = Array.from({ length: 22 }, () => start(false));
  const known = start(true);
  expect(await strangers[21]).toBe("unavailable");
  await eventually(() => expect(inProgress).toBe(2));
  resolve();
  expect(await Promise.all([known, ...strangers.slice(0, 21)])).toEqual(Array(22).fill("done"));
});
