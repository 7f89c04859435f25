import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import type { ProviderAccount } from "./test-accounts.ts";
import { startTestApi, type TestApi } from "./test-api.ts";

const SignInResponse = z.object({ idToken: z.string() });
const SignUpResponse = z.extend(SignInResponse, { localId: z.string(), refreshToken: z.string() });
const RefreshResponse = z.object({ id_token: z.string() });

/** Empty where firebase-tools is not installed. */
export const EMULATOR_HOST = process.env.TEST_FIREBASE_EMULATOR_HOST ?? "";
export const PROJECT_ID = "demo-tapthru";
const PROJECT = `projects/${PROJECT_ID}`;

/** An account at the emulator, logged in. */
export interface FirebaseAccount extends ProviderAccount {
  refreshToken: string;
}

const PASSWORD = "correct horse";

/** Starts the api with Firebase as the identity provider, of which an emulator at this address takes the place. */
export function startFirebaseApi(host: string, replicaOf?: TestApi): Promise<TestApi> {
  // firebase-admin reads it from the environment.
  process.env.FIREBASE_AUTH_EMULATOR_HOST = host;
  return startTestApi(
    { FIREBASE_PROJECT_ID: PROJECT_ID, FIREBASE_AUTH_EMULATOR_HOST: host },
    { ...(replicaOf && { replicaOf }) },
  );
}

export async function createAccount(): Promise<FirebaseAccount> {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const body = { email, password: PASSWORD, returnSecureToken: true };
  const {
    localId: uid,
    idToken: token,
    refreshToken,
  } = SignUpResponse.parse(await call("accounts:signUp?key=any", body, null));
  return { uid, email, token, refreshToken };
}

export async function setDisplayName(
  { token }: FirebaseAccount,
  displayName: string,
): Promise<void> {
  await call("accounts:update?key=any", { idToken: token, displayName }, null);
}

/** Returns a new ID token, like the next functions. */
export function signInWithPassword({ email }: FirebaseAccount): Promise<string> {
  return signIn("signInWithPassword", { email, password: PASSWORD });
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
  const request = { ...body, returnSecureToken: true };
  return SignInResponse.parse(await call(`accounts:${how}?key=any`, request, null)).idToken;
}

export async function signInWithRefreshToken({ refreshToken }: FirebaseAccount): Promise<string> {
  const response = await fetch(
    `http://${EMULATOR_HOST}/securetoken.googleapis.com/v1/token?key=any`,
    {
      method: "POST",
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken }),
    },
  );
  return RefreshResponse.parse(await response.json()).id_token;
}

/** Disables an account, as an administrator does in the Firebase console. */
export async function disableAccount({ uid }: FirebaseAccount): Promise<void> {
  await call(`${PROJECT}/accounts:update`, { localId: uid, disableUser: true });
}

export async function deleteAccount({ uid }: FirebaseAccount): Promise<void> {
  await call(`${PROJECT}/accounts:delete`, { localId: uid });
}

/** Invalidates all logins up to the current second. */
export async function revokeTokens({ uid }: FirebaseAccount): Promise<void> {
  const validSince = String(Math.floor(Date.now() / 1_000) + 1);
  await call(`${PROJECT}/accounts:update`, { localId: uid, validSince });
}

async function call(
  path: string,
  body: object,
  authorization: string | null = "Bearer owner",
): Promise<unknown> {
  const response = await fetch(
    `http://${EMULATOR_HOST}/identitytoolkit.googleapis.com/v1/${path}`,
    {
      method: "POST",
      headers: { "content-type": "application/json", ...(authorization && { authorization }) },
      body: JSON.stringify(body),
    },
  );
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return await response.json();
}
