import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import type { ProviderAccount } from "./test-accounts.ts";
import { startTestApi, type TestApi } from "./test-api.ts";

const SignUpResponse = z.object({ localId: z.string(), idToken: z.string() });

/** Empty where firebase-tools is not installed. */
export const EMULATOR_HOST = process.env.TEST_FIREBASE_EMULATOR_HOST ?? "";
export const PROJECT_ID = "demo-tapthru";
const PROJECT = `projects/${PROJECT_ID}`;

/** Starts the api with Firebase as the identity provider, of which an emulator at this address takes the place. */
export function startFirebaseApi(host: string, replicaOf?: TestApi): Promise<TestApi> {
  // firebase-admin reads it from the environment.
  process.env.FIREBASE_AUTH_EMULATOR_HOST = host;
  return startTestApi(
    { FIREBASE_PROJECT_ID: PROJECT_ID, FIREBASE_AUTH_EMULATOR_HOST: host },
    { ...(replicaOf && { replicaOf }) },
  );
}

/** Creates an account at the emulator, logged in. */
export async function createAccount(): Promise<ProviderAccount> {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const body = { email, password: "correct horse", returnSecureToken: true };
  const response = await call("accounts:signUp?key=any", body, null);
  const { localId: uid, idToken: token } = SignUpResponse.parse(response);
  return { uid, email, token };
}

/** Disables an account, as an administrator does in the Firebase console. */
export async function disableAccount({ uid }: ProviderAccount): Promise<void> {
  await call(`${PROJECT}/accounts:update`, { localId: uid, disableUser: true });
}

export async function deleteAccount({ uid }: ProviderAccount): Promise<void> {
  await call(`${PROJECT}/accounts:delete`, { localId: uid });
}

/** Invalidates all logins up to the current second. */
export async function revokeTokens({ uid }: ProviderAccount): Promise<void> {
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
