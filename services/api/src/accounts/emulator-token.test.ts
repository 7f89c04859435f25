import { createHmac } from "node:crypto";
import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createAccount,
  deleteAccount,
  EMULATOR_START_MS,
  nameAccount,
  revokeTokens,
  signInByPassword,
  signInByRefreshToken,
  signInWithCustomToken,
  signInWithIdp,
  type TestAccount,
} from "../testing/test-accounts.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { bearer, createBackendUser, postLogin } from "../testing/test-user.ts";

let api: TestApi;
let victim: TestAccount;
let other: TestAccount;
beforeAll(async () => {
  api = await startTestApi();
  other = await createAccount();
}, EMULATOR_START_MS);
afterAll(() => api.stop());
beforeEach(async () => {
  victim = await createAccount();
  await createBackendUser(api, victim);
});

type Claims = Record<string, unknown>;

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function claimsOf({ token }: TestAccount): Claims & { firebase: Claims; iat: number; exp: number } {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

/** As the victim's own, but for these claims. */
function forged(changes: Claims, header: object = { alg: "none", typ: "JWT" }): string {
  return `${base64url(header)}.${base64url({ ...claimsOf(victim), ...changes })}.`;
}

function signedByAttacker(alg: string): string {
  const signed = forged({}, { alg, typ: "JWT" }).slice(0, -1);
  return `${signed}.${createHmac("sha256", "fake-secret").update(signed).digest("base64url")}`;
}

async function expectRefused(token: string): Promise<void> {
  const login = await postLogin(api, { uid: victim.uid, token });
  expect([login.status, await login.text()]).toEqual([401, messages.badToken]);
  expect(login.headers.getSetCookie()).toEqual([]);
  const user = await api.request("GET", `/api/users/${victim.uid}`, bearer(token));
  expect(user.status).toBe(404);
}

describe("with the emulator the api accepts a token", () => {
  it.each([
    ["of a sign-up", async () => victim.token],
    ["of a login by password", () => signInByPassword(victim)],
    ["that was refreshed", () => signInByRefreshToken(victim)],
    [
      "of an account that has a name",
      async () => {
        await nameAccount(victim, "Ada");
        return signInByPassword(victim);
      },
    ],
  ])("%s", async (_title, tokenOf) => {
    const login = await postLogin(api, { uid: victim.uid, token: await tokenOf() });
    expect(login.status).toBe(200);
  });

  it("of a login before another login elsewhere", async () => {
    await signInByPassword(victim);
    expect((await postLogin(api, victim)).status).toBe(200);
  });
});

describe("with the emulator the api refuses a token", () => {
  it("that the emulator gives for an unsigned custom token of anybody's making", async () => {
    await expectRefused(await signInWithCustomToken(victim.uid));
  });

  it("that the emulator gives for a forged login at Google", async () => {
    await expectRefused(await signInWithIdp(victim.email));
  });

  const forgeries: [string, () => string][] = [
    ["signed by HS256", () => signedByAttacker("HS256")],
    ["signed, though its algorithm is none", () => signedByAttacker("none")],
    ["that names a key", () => forged({}, { alg: "none", typ: "JWT", kid: "one" })],
    ["that names its algorithm otherwise", () => forged({}, { alg: "None", typ: "JWT" })],
    ["without a type", () => forged({}, { alg: "none" })],
    ["of two parts", () => victim.token.slice(0, -1)],
    ["of four parts", () => `${victim.token}.`],
    ["of another project", () => forged({ aud: "another" })],
    ["of several projects", () => forged({ aud: ["demo-tapthru", "another"] })],
    ["of another issuer", () => forged({ iss: "https://securetoken.google.com/another" })],
    ["of two users", () => forged({ user_id: other.uid })],
    ["without a user's id", () => forged({ user_id: undefined })],
    ["with another's e-mail address", () => forged({ email: other.email })],
    ["without an e-mail address", () => forged({ email: undefined })],
    [
      "of an e-mail address that the account does not have",
      () => forged({ email: other.email, firebase: { ...identities(other.email) } }),
    ],
    ["without what Firebase adds", () => forged({ firebase: undefined })],
    ["of a login at Google", () => forged({ firebase: provider("google.com") })],
    ["of a custom login", () => forged({ firebase: provider("custom") })],
    ["of an anonymous login", () => forged({ firebase: provider("anonymous") })],
    ["that holds for a day", () => forged({ exp: claimsOf(victim).iat + 86_400 })],
    ["given before the login", () => forged({ auth_time: claimsOf(victim).iat + 1 })],
    ["of a login before the account was made", () => loginAt(-60)],
    ["of a login later than the account's last", () => loginAt(60)],
    ["with times that are no numbers", () => forged({ auth_time: "0" })],
    ["that has expired", () => issuedAt(-7_200)],
  ];
  it.each(forgeries)("%s", async (_title, token) => {
    await expectRefused(token());
  });

  it("of an account that the emulator does not have", async () => {
    await deleteAccount(victim);
    await expectRefused(forged({}));
  });

  it("of a login before the logins were revoked", async () => {
    await revokeTokens(victim);
    await expectRefused(forged({}));
  });

  it("in the same form of another account, for everything that is the victim's", async () => {
    const login = await postLogin(api, { uid: victim.uid, token: other.token });
    expect(login.status).toBe(403);
  });
});

function identities(email: string): Claims {
  return { identities: { email: [email] }, sign_in_provider: "password" };
}

function provider(name: string): Claims {
  return { ...claimsOf(victim).firebase, sign_in_provider: name };
}

function loginAt(secondsLater: number): string {
  const { iat } = claimsOf(victim);
  const later = Math.max(iat, iat + secondsLater);
  return forged({ auth_time: iat + secondsLater, iat: later, exp: later + 3_600 });
}

function issuedAt(secondsLater: number): string {
  const { iat } = claimsOf(victim);
  const times = { auth_time: iat + secondsLater, iat: iat + secondsLater };
  return forged({ ...times, exp: iat + secondsLater + 3_600 });
}
