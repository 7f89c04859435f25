import { createHmac } from "node:crypto";
import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createAccount,
  EMULATOR_HOST,
  type FirebaseAccount,
  setDisplayName,
  signInWithCustomToken,
  signInWithIdp,
  signInWithPassword,
  signInWithRefreshToken,
  startFirebaseApi,
} from "../../testing/firebase-accounts.ts";
import type { TestApi } from "../../testing/test-api.ts";
import { bearer, createBackendUser, postLogin } from "../../testing/test-user.ts";
import { base64url } from "../../testing/unsigned-token.ts";

let api: TestApi;
let victim: FirebaseAccount;
let other: FirebaseAccount;
beforeAll(async () => {
  api = await startFirebaseApi(EMULATOR_HOST);
  other = await createAccount();
});
afterAll(() => api.stop());
beforeEach(async () => {
  victim = await createAccount();
  await createBackendUser(api, victim);
});

type Claims = Record<string, unknown>;

function claimsOf({
  token,
}: FirebaseAccount): Claims & { firebase: Claims; iat: number; exp: number } {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

/** The victim's token with these claims changed. */
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

describe.skipIf(EMULATOR_HOST === "")("the api with the emulator accepts a token", () => {
  it.each([
    ["of a sign-up", async () => victim.token],
    ["of a login with a password", () => signInWithPassword(victim)],
    ["that was refreshed", () => signInWithRefreshToken(victim)],
    [
      "of an account that has a name",
      async () => {
        await setDisplayName(victim, "Ada");
        return signInWithPassword(victim);
      },
    ],
  ])("%s", async (_title, tokenOf) => {
    const login = await postLogin(api, { uid: victim.uid, token: await tokenOf() });
    expect(login.status).toBe(200);
  });

  it("of a login that is not the latest", async () => {
    await signInWithPassword(victim);
    expect((await postLogin(api, victim)).status).toBe(200);
  });
});

describe.skipIf(EMULATOR_HOST === "")("the api with the emulator rejects a token", () => {
  it("that the emulator issues for an unsigned custom token", async () => {
    await expectRefused(await signInWithCustomToken(victim.uid));
  });

  it("that the emulator issues for a forged Google login", async () => {
    await expectRefused(await signInWithIdp(victim.email));
  });

  const forgeries: [string, () => string][] = [
    ["signed with HS256", () => signedByAttacker("HS256")],
    ["with a signature although its algorithm is none", () => signedByAttacker("none")],
    ["with a key id", () => forged({}, { alg: "none", typ: "JWT", kid: "one" })],
    ["with another spelling of its algorithm", () => forged({}, { alg: "None", typ: "JWT" })],
    ["without a type", () => forged({}, { alg: "none" })],
    ["of two parts", () => victim.token.slice(0, -1)],
    ["of four parts", () => `${victim.token}.`],
    ["of another project", () => forged({ aud: "another" })],
    ["of several projects", () => forged({ aud: ["demo-tapthru", "another"] })],
    ["of another issuer", () => forged({ iss: "https://securetoken.google.com/another" })],
    ["with two different user ids", () => forged({ user_id: other.uid })],
    ["without a user id", () => forged({ user_id: undefined })],
    ["with the email address of another account", () => forged({ email: other.email })],
    ["without an email address", () => forged({ email: undefined })],
    [
      "with an email address that the account does not have",
      () => forged({ email: other.email, firebase: { ...identities(other.email) } }),
    ],
    ["without the firebase claim", () => forged({ firebase: undefined })],
    ["of a Google login", () => forged({ firebase: provider("google.com") })],
    ["of a custom login", () => forged({ firebase: provider("custom") })],
    ["of an anonymous login", () => forged({ firebase: provider("anonymous") })],
    ["that is valid for a day", () => forged({ exp: claimsOf(victim).iat + 86_400 })],
    ["issued before the login", () => forged({ auth_time: claimsOf(victim).iat + 1 })],
    ["of a login before the account was created", () => loginAt(-60)],
    ["of a login after the last one of the account", () => loginAt(60)],
    ["with a time that is not a number", () => forged({ auth_time: "0" })],
    ["that has expired", () => issuedAt(-7_200)],
  ];
  it.each(forgeries)("%s", async (_title, token) => {
    await expectRefused(token());
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
