import { randomBytes } from "node:crypto";
import * as z from "zod/mini";

const SignInResponse = z.object({ idToken: z.string() });
const SignUpResponse = z.extend(SignInResponse, { localId: z.string(), refreshToken: z.string() });
const RefreshResponse = z.object({ id_token: z.string() });
const OobCodes = z.object({
  oobCodes: z.array(
    z.object({ oobCode: z.string(), email: z.string(), newEmail: z.optional(z.string()) }),
  ),
});
const LookupResponse = z.object({ users: z.optional(z.array(z.object({ localId: z.string() }))) });
/** Timeout for the start of the emulator, which the first test account triggers. */
export const EMULATOR_START_MS = 60_000;

const PROJECT = "projects/demo-tapthru";

/** An account at the emulator, logged in. */
export interface TestAccount {
  uid: string;
  email: string;
  /** The ID token of the account. */
  token: string;
  refreshToken: string;
}

const PASSWORD = "correct horse";

export async function createAccount(
  email = `${randomBytes(6).toString("hex")}@example.com`,
): Promise<TestAccount> {
  const body = { email, password: PASSWORD, returnSecureToken: true };
  const {
    localId: uid,
    idToken: token,
    refreshToken,
  } = SignUpResponse.parse(await call("accounts:signUp?key=any", body, null));
  return { uid, email, token, refreshToken };
}

export async function setDisplayName(account: TestAccount, displayName: string): Promise<void> {
  await call("accounts:update?key=any", { idToken: account.token, displayName }, null);
}

/** Changes the email address as its user does: by the link sent to the new address. */
export async function changeEmail({ token }: TestAccount, newEmail: string): Promise<void> {
  const request = { requestType: "VERIFY_AND_CHANGE_EMAIL", idToken: token, newEmail };
  await call("accounts:sendOobCode?key=any", request, null);
  await openLastLink((code) => code.newEmail === newEmail);
}

/** Verifies the email address by the link sent to it. */
export async function verifyEmail({ token, email }: TestAccount): Promise<void> {
  await call("accounts:sendOobCode?key=any", { requestType: "VERIFY_EMAIL", idToken: token }, null);
  await openLastLink((code) => code.email === email);
}

type OobCode = z.infer<typeof OobCodes>["oobCodes"][number];

async function openLastLink(isSent: (code: OobCode) => boolean): Promise<void> {
  const host = process.env.TEST_FIREBASE_EMULATOR_HOST;
  const response = await fetch(`http://${host}/emulator/v1/${PROJECT}/oobCodes`);
  const { oobCodes } = OobCodes.parse(await response.json());
  const { oobCode } = oobCodes.findLast(isSent) ?? {};
  await call("accounts:update?key=any", { oobCode }, null);
}

/** Changes the email address without verification, as a holder of the token can at the provider. */
export async function setUnverifiedEmail({ token }: TestAccount, email: string): Promise<void> {
  await call("accounts:update?key=any", { idToken: token, email }, null);
}

export async function changePassword({ token }: TestAccount, password: string): Promise<void> {
  await call("accounts:update?key=any", { idToken: token, password }, null);
}

/** Returns a new ID token, like the next functions. */
export function signInWithPassword(
  { email }: Pick<TestAccount, "email">,
  password = PASSWORD,
): Promise<string> {
  return signIn("signInWithPassword", { email, password });
}

/** Logs in with an unsigned custom token. */
export function signInWithCustomToken(uid: string): Promise<string> {
  return signIn("signInWithCustomToken", { token: JSON.stringify({ uid }) });
}

/** Logs in with an unsigned Google token. */
export function signInWithIdp(email: string): Promise<string> {
  const idToken = JSON.stringify({ sub: "attacker", email, email_verified: true });
  const postBody = new URLSearchParams({ id_token: idToken, providerId: "google.com" }).toString();
  return signIn("signInWithIdp", { postBody, requestUri: "http://localhost" });
}

async function signIn(how: string, body: object): Promise<string> {
  const response = await call(
    `accounts:${how}?key=any`,
    { ...body, returnSecureToken: true },
    null,
  );
  return SignInResponse.parse(response).idToken;
}

export async function signInWithRefreshToken({ refreshToken }: TestAccount): Promise<string> {
  const host = process.env.TEST_FIREBASE_EMULATOR_HOST;
  const response = await fetch(`http://${host}/securetoken.googleapis.com/v1/token?key=any`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken }),
  });
  return RefreshResponse.parse(await response.json()).id_token;
}

/** Disables an account, as an administrator does in the Firebase console. */
export async function disableAccount({ uid }: Pick<TestAccount, "uid">): Promise<void> {
  await call(`${PROJECT}/accounts:update`, { localId: uid, disableUser: true });
}

export async function enableAccount({ uid }: Pick<TestAccount, "uid">): Promise<void> {
  await call(`${PROJECT}/accounts:update`, { localId: uid, disableUser: false });
}

export async function deleteAccount({ uid }: Pick<TestAccount, "uid">): Promise<void> {
  await call(`${PROJECT}/accounts:delete`, { localId: uid });
}

/** @returns null if the emulator has no such account */
export async function findAccount({ uid }: Pick<TestAccount, "uid">): Promise<object | null> {
  const { users = [] } = LookupResponse.parse(
    await call(`${PROJECT}/accounts:lookup`, { localId: [uid] }),
  );
  return users[0] ?? null;
}

/** Invalidates all logins up to the current second. */
export async function revokeTokens({ uid }: Pick<TestAccount, "uid">): Promise<void> {
  const validSince = String(Math.floor(Date.now() / 1_000) + 1);
  await call(`${PROJECT}/accounts:update`, { localId: uid, validSince });
}

async function call(
  path: string,
  body: object,
  authorization: string | null = "Bearer owner",
): Promise<unknown> {
  const host = process.env.TEST_FIREBASE_EMULATOR_HOST;
  const response = await fetch(`http://${host}/identitytoolkit.googleapis.com/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(authorization && { authorization }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return await response.json();
}
