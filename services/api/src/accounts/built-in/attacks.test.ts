import { OPEN_ID_CALLBACK_PATH, startOpenIdLogin } from "@tapthru/proto/identity";
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BrowserHeaders, newBrowser, withCookies } from "../../testing/browser-headers.ts";
import { CLIENT_ID, startFakeIssuer } from "../../testing/fake-issuer.ts";
import {
  accountOf,
  createAccount,
  newEmail,
  PASSWORD,
  signIn,
  signUp,
  verifyEmail,
} from "../../testing/test-accounts.ts";
import { startTestApi, type TestApi } from "../../testing/test-api.ts";
import { emailedToken, emailsTo, emailTo } from "../../testing/test-emails.ts";
import { createBackendUser } from "../../testing/test-user.ts";
import { startApi } from "../../testing/world.ts";

let email: string;
const issuer = await startFakeIssuer();
afterAll(() => issuer.stop());
const api = await startApi({
  SMTP_FROM: "hello@tapthru.example",
  OIDC_ISSUER: issuer.url,
  OIDC_CLIENT_ID: CLIENT_ID,
  OIDC_CLIENT_SECRET: "secret",
  OIDC_OPERATOR_GROUP: "operators",
  OIDC_SCOPES: "openid email profile groups",
});
beforeEach(() => {
  email = newEmail();
});

async function start() {
  const body = { returnPath: "/dashboard" };
  const response = await api.post(startOpenIdLogin.path, body, newBrowser(api));
  const { url } = startOpenIdLogin.replies[200].parse(await response.json());
  const { searchParams } = new URL(url);
  const [state = "", nonce = ""] = [searchParams.get("state"), searchParams.get("nonce")].map(String);
  return { url, state, nonce, browser: withCookies(newBrowser(api), response) };
}

/** Returns from the provider. @returns where the browser is sent, and the browser */
async function comeBack(browser: BrowserHeaders, query: Record<string, string>) {
  const address = `${api.url}${OPEN_ID_CALLBACK_PATH}?${new URLSearchParams(query)}`;
  const response = await fetch(address, { headers: browser, redirect: "manual" });
  const location = response.headers.get("location")?.replace(api.publicBaseUrl, "");
  return { location, browser: withCookies(browser, response) };
}

async function logIn(claims: JWTPayload) {
  const { state, nonce, browser } = await start();
  issuer.idToken = await issuer.sign({ nonce, ...claims });
  return comeBack(browser, { code: "code", state });
}

const FAILED = "/login?login_error=failed";

describe("a login with OpenID Connect", () => {
  it("requests the scopes of the configuration", async () => {
    expect(new URL((await start()).url).searchParams.get("scope")).toBe("openid email profile groups");
  });

  it("counts as recent only if the provider says when the password was entered", async () => {
    const now = Math.floor(Date.now() / 1_000);
    const startPasskey = async (claims: JWTPayload) => {
      const { browser } = await logIn({ sub: email, email, ...claims });
      return (await api.request("POST", "/api/auth/passkeys/options", browser, {})).status;
    };
    expect(await startPasskey({})).toBe(403);
    expect(await startPasskey({ auth_time: now - 660 })).toBe(403);
    expect(await startPasskey({ auth_time: now })).toBe(200);
  });

  it.each<[claim: string, value: unknown, result?: object]>([
    ["groups", ["staff", "operators"], { isOperator: true }],
    ["groups", "operators", { isOperator: true }],
    ["groups", ["operators", 7, null], { isOperator: true }],
    ["groups", null],
    ["groups", { operators: true }],
    ["groups", "staff,operators"],
    ["email_verified", "True", { isEmailVerified: true }],
    ["email_verified", null, { isEmailVerified: false }],
    ["email_verified", 1, { isEmailVerified: false }],
    ["email_verified", ["true"], { isEmailVerified: false }],
    ["name", null, { name: "anna" }],
    ["name", ["Anna", "Q"], { name: "anna" }],
    ["name", "", { name: "anna" }],
    ["name", "Anna\0\u2028\uD800"],
    ["preferred_username", { value: "anna" }],
    ["name", "x".repeat(10_000)],
    ["picture", null],
    ["picture", { url: "https://id.example/anna.png" }],
    ["picture", "\0"],
    ["auth_time", "yesterday"],
    ["auth_time", null],
    ["auth_time", -1e15],
  ])("accepts any value of the claim %s: %j", async (claim, value, result = {}) => {
    const claims = { sub: email, email, name: `Anna ${email}`, preferred_username: "anna" };
    const { location, browser } = await logIn({ ...claims, [claim]: value });
    expect(location).toBe("/dashboard");
    const account = await accountOf(api, browser);
    if (account === null) throw new Error("No user is logged in");
    const user = await createBackendUser(api, account);
    expect({ ...account, ...user }).toMatchObject({ isEmailVerified: true, isOperator: false, ...result });
  });

  it("requires an address as text", async () => {
    for (const claim of [[email], "", "anna"]) {
      const { location } = await logIn({ sub: email, email: claim });
      expect(location).toBe("/login?login_error=no_email");
    }
    expect(await api.context.registry.metrics()).toMatch(/^tapthru_api_errors_total\{.*code="openid-no_email"\} 3$/m);
  });

  it("refuses an unsigned ID token, and one with another key", async () => {
    const { privateKey } = await generateKeyPair("RS256");
    const claims = (nonce: string) => ({ iss: issuer.url, aud: CLIENT_ID, sub: email, email, nonce });
    const forgeries = [
      async (nonce: string) => new UnsecuredJWT(claims(nonce)).setExpirationTime("5m").encode(),
      (nonce: string) =>
        new SignJWT(claims(nonce))
          .setProtectedHeader({ alg: "RS256", kid: "key" })
          .setExpirationTime("5m")
          .sign(privateKey),
    ];
    for (const forge of forgeries) {
      const { state, nonce, browser } = await start();
      issuer.idToken = await forge(nonce);
      expect((await comeBack(browser, { code: "code", state })).location).toBe(FAILED);
    }
  });

  it("refuses the response of another issuer", async () => {
    const { state, nonce, browser } = await start();
    issuer.idToken = await issuer.sign({ sub: email, email, nonce });
    const response = { code: "code", state, iss: "https://issuer.example" };
    expect((await comeBack(browser, response)).location).toBe(FAILED);
  });

  it("refuses a state that was used, and one of another browser", async () => {
    const { state, nonce, browser } = await start();
    issuer.idToken = await issuer.sign({ sub: email, email, nonce });
    const query = { code: "code", state };
    expect((await comeBack(newBrowser(api), query)).location).toBe(FAILED);
    const again = await start();
    issuer.idToken = await issuer.sign({ sub: email, email, nonce: again.nonce });
    const used = { code: "code", state: again.state };
    expect((await comeBack(again.browser, used)).location).toBe("/dashboard");
    expect((await comeBack(again.browser, used)).location).toBe(FAILED);
    expect(await accountOf(api, browser)).toBeNull();
  });

  it("enters an existing account only by an address that both sides have verified", async () => {
    const owner = await createAccount(api, email);
    await verifyEmail(api, owner);
    const unverified = await logIn({ sub: `${email} 1`, email, email_verified: false });
    expect((await accountOf(api, unverified.browser))?.uid).not.toBe(owner.uid);
    const verified = await logIn({ sub: `${email} 2`, email, groups: ["operators"] });
    expect((await accountOf(api, verified.browser))?.uid).toBe(owner.uid);
    const rows = await api.query(`SELECT "isOperator" FROM identity."user" WHERE id = '${owner.uid}'`);
    expect(rows).toEqual([{ isOperator: true }]);
  });

  it("creates a separate account if another user has entered the address", async () => {
    const first = await createAccount(api, email);
    const { browser } = await logIn({ sub: email, email });
    const identity = await accountOf(api, browser);
    expect(identity).toMatchObject({ email, isEmailVerified: true });
    expect(identity?.uid).not.toBe(first.uid);
    const again = await signIn(api, first);
    expect(await accountOf(api, again.login)).toMatchObject({ uid: first.uid, isEmailVerified: false });
  });
});

describe("a link to choose a new password", () => {
  const reset = (token: string) =>
    api.request("PUT", "/api/auth/password-reset", newBrowser(api), { token, password: "battery staple" });

  it("a link to choose a new password works once", async () => {
    await createAccount(api, email);
    await api.post("/api/auth/password-reset", { email });
    const token = await emailedToken(api, email, "reset-password");
    expect([(await reset(token)).status, (await reset(token)).status]).toEqual([200, 410]);
  });

  it("a link for a new password does not work after a change of the email address", async () => {
    const account = await createAccount(api, email);
    await api.post("/api/auth/password-reset", { email });
    const token = await emailedToken(api, email, "reset-password");
    const next = newEmail();
    await api.request("PUT", "/api/auth/email", account.login, { email: next });
    const confirmation = { token: await emailedToken(api, next, "change-email") };
    await api.request("PUT", "/api/auth/email-confirmation", account.login, confirmation);
    expect((await reset(token)).status).toBe(410);
  });

  it("leads to this site, whatever host the request names", async () => {
    await createAccount(api, email);
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example" };
    await api.post("/api/auth/password-reset", { email }, headers);
    expect((await emailTo(api, email, "reset-password")).url).toMatch(`${api.publicBaseUrl}/reset-password#`);
  });
});

describe("with limits", () => {
  let limited: TestApi;
  beforeAll(async () => {
    limited = await startTestApi({
      RATE_LIMITS: "on",
      SMTP_FROM: "hello@tapthru.example",
      TRUSTED_PROXIES: ["loopback"],
    });
  });
  afterAll(() => limited.stop());
  const counters = (kind = "*") => limited.redis.keys(`limit:identity:${kind}:*`);
  const setCounters = async (kind: string, count: number) => {
    for (const key of await counters(kind)) await limited.redis.set(key, count, "KEEPTTL");
  };
  const resetCounters = async () => {
    for (const key of await counters()) await limited.redis.del(key);
  };
  beforeEach(resetCounters);

  const from = (address: string, browser = newBrowser(api)) => ({ ...browser, "x-forwarded-for": address });
  const guess = async (address: string, account = email, browser = newBrowser(api)) => {
    const body = { email: account, password: "wrong horse" };
    return (await limited.post("/api/auth/sign-in", body, from(address, browser))).status;
  };
  async function guessFromEverywhere() {
    await resetCounters();
    await guess("198.18.0.1");
    await setCounters("address", 30);
    expect(await guess("198.18.200.1")).toBe(429);
  }

  it.each([
    ["10 of an account from a network", "visitor", 10, (n: number) => `192.0.2.${n}`, () => email],
    ["30 of an account", "address", 30, (n: number) => `198.18.${n}.1`, () => email],
    ["30 from an address", "address", 30, () => "192.0.2.200", newEmail],
    ["30 from an IPv6 network", "address", 30, (n: number) => `2001:db8:1:${n}::1`, newEmail],
  ])("refuses more guesses of passwords in a minute than %s", async (_how, kind, limit, address, account) => {
    expect(await guess(address(1), account())).toBe(401);
    await setCounters(kind, limit - 1);
    const last = [await guess(address(2), account()), await guess(address(3), account())];
    expect(last).toEqual([401, 429]);
  });

  it("strangers lock out neither a known browser, nor its user when they are logged in", async () => {
    const account = await createAccount(limited, email);
    await guessFromEverywhere();
    const logIn = (password: string, browser: BrowserHeaders) =>
      limited.post("/api/auth/sign-in", { email, password }, browser);
    const login = await logIn(PASSWORD, account.login);
    expect(login.status).toBe(200);
    const browser = withCookies(account.login, login);
    const body = { currentPassword: PASSWORD, password: "battery staple" };
    const change = await limited.request("PUT", "/api/auth/password", browser, body);
    expect(change.status).toBe(200);
    expect((await logIn("battery staple", withCookies(browser, change))).status).toBe(200);
  });

  it("a browser is known only to its account, and until the logins of that are revoked", async () => {
    const account = await createAccount(limited, email);
    const other = await createAccount(limited);
    await guessFromEverywhere();
    expect(await guess("192.0.2.1", email, other.login)).toBe(429);
    expect(await guess("192.0.2.1", email, account.login)).toBe(401);
    await limited.context.identity.revoke(account.uid);
    await limited.query(`UPDATE identity."user" SET logins_valid_from = now() + interval '1 second'`);
    expect(await guess("192.0.2.1", email, account.login)).toBe(429);
  });

  it("a browser that signed up with an address of others is known to its own account alone", async () => {
    const owner = await createAccount(limited, email);
    await limited.query(`UPDATE identity."user" SET "emailVerified" = true WHERE id = '${owner.uid}'`);
    const again = { displayName: newEmail().slice(0, 20), email, password: "battery staple" };
    const stranger = withCookies(
      newBrowser(limited),
      await limited.post("/api/auth/sign-up", again, newBrowser(limited)),
    );
    await guessFromEverywhere();
    expect(await guess("192.0.2.1", email, stranger)).toBe(429);
    expect(await guess("192.0.2.1", email.toUpperCase(), stranger)).toBe(429);
    expect(await guess("192.0.2.1", email, owner.login)).toBe(401);
    await limited.query(`UPDATE identity."user" SET "emailVerified" = false WHERE id = '${owner.uid}'`);
    expect(await guess("192.0.2.1", email, stranger)).toBe(429);
  });

  it("a person who can read the emails of an account can log in after a reset of its password", async () => {
    await createAccount(limited, email);
    await limited.post("/api/auth/password-reset", { email }, from("192.0.2.1"));
    const token = await emailedToken(limited, email, "reset-password");
    await guessFromEverywhere();
    const browser = newBrowser(api);
    const body = { token, password: "battery staple" };
    const reset = await limited.request("PUT", "/api/auth/password-reset", browser, body);
    const login = { email, password: "battery staple" };
    const known = withCookies(browser, reset);
    expect((await limited.post("/api/auth/sign-in", login, known)).status).toBe(200);
  });
});

describe("emails with limits", () => {
  let limited: TestApi;
  beforeAll(async () => {
    limited = await startTestApi({
      RATE_LIMITS: "on",
      SMTP_FROM: "hello@tapthru.example",
      TRUSTED_PROXIES: ["loopback"],
    });
  });
  afterAll(() => limited.stop());
  const from = (address: string) => ({ ...newBrowser(limited), "x-forwarded-for": address });
  const askForReset = (attempt: number, to = email) =>
    limited.post("/api/auth/password-reset", { email: to }, from(`198.51.100.${attempt}`));

  it("sends at most five emails an hour to an address", async () => {
    await createAccount(limited, email);
    for (let attempt = 1; attempt <= 7; attempt++) expect((await askForReset(attempt)).status).toBe(200);
    await emailTo(limited, email, "reset-password", 5);
    const emails = await emailsTo(api, email);
    expect(emails.filter(({ kind }) => kind === "reset-password")).toHaveLength(5);
  });

  it.each<[string, (attempt: number) => string]>([
    ["other names", () => email],
    ["other cases", (attempt) => (attempt % 2 ? email.toUpperCase() : email)],
    ["other parts after a plus sign", (attempt) => email.replace("@", `+${attempt}@`)],
  ])("%s of accounts give a mailbox no more emails", async (_other, address) => {
    const { emails } = limited.context;
    for (let attempt = 0; attempt < 7; attempt++) {
      const account = { to: address(attempt), displayName: `Call ${attempt}` };
      await emails?.sendConfirmation(account, "a");
      await emails?.sendEmailChange(account, "a");
      await emails?.sendPasswordReset(account, "a");
    }
    const addresses = new Set(Array.from({ length: 7 }, (_, attempt) => address(attempt)));
    const sent = (await Promise.all([...addresses].map((to) => emailsTo(limited, to)))).flat();
    const counts = Map.groupBy(sent, ({ kind }) => kind);
    expect([...counts].map(([kind, { length }]) => [kind, length]).sort()).toEqual([
      ["change-email", 5],
      ["confirm-email", 5],
      ["reset-password", 5],
    ]);
  });

  it("no email to an address that is not confirmed has a name that a stranger chose", async () => {
    const stranger = await signUp(limited, email);
    const next = newEmail();
    const rename = { username: `Call 555 ${email}`.slice(0, 50) };
    const renamed = await limited.request("PATCH", `/api/users/${stranger.uid}`, stranger.login, rename);
    expect(renamed.status).toBe(200);
    await limited.post("/api/auth/email-confirmation", {}, stranger.login);
    await limited.request("PUT", "/api/auth/email", stranger.login, { email: next });
    await askForReset(1);
    await emailTo(limited, email, "confirm-email", 2);
    await emailTo(limited, next, "change-email");
    await emailTo(limited, email, "reset-password");
    const sent = [...(await emailsTo(limited, email)), ...(await emailsTo(limited, next))];
    expect(sent.filter(({ displayName }) => displayName !== undefined)).toEqual([]);
    expect(sent.filter(({ createdAt }) => createdAt === undefined)).toEqual([]);
    await verifyEmail(limited, stranger);
    await askForReset(2);
    expect(await emailTo(limited, email, "reset-password", 2)).toMatchObject({ displayName: rename.username });
  });

  it("the owner of an address can still reset the password of their account after strangers used up its confirmations", async () => {
    const stranger = await createAccount(limited, email);
    for (let attempt = 0; attempt < 7; attempt++) {
      await limited.post("/api/auth/email-confirmation", {}, stranger.login);
    }
    const { uid } = await createAccount(limited, email);
    await askForReset(1);
    await emailTo(limited, email, "reset-password", 2);
    const resets = (await emailsTo(limited, email)).filter(({ kind }) => kind === "reset-password");
    const [own] = await limited.query(`SELECT utc_text("createdAt") AS at FROM identity."user" WHERE id = '${uid}'`);
    expect(resets.map(({ createdAt }) => createdAt)).toContain(own?.at);
  });
});
