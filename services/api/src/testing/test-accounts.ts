import { randomBytes } from "node:crypto";
import * as z from "zod/mini";

const SignedIn = z.object({ localId: z.string(), idToken: z.string() });
/** The emulator starts with the first account that a run of tests makes. */
export const EMULATOR_START_MS = 60_000;

const PROJECT = "projects/demo-tapthru";

/** An account at the emulator, signed in. */
export interface TestAccount {
  uid: string;
  email: string;
  password: string;
  /** Its ID token. */
  token: string;
}

export function createAccount(): Promise<TestAccount> {
  return authenticate("signUp", `${randomBytes(6).toString("hex")}@example.com`);
}

/** The same account with a fresh token. */
export function signIn({ email }: Pick<TestAccount, "email">): Promise<TestAccount> {
  return authenticate("signInWithPassword", email);
}

/** What an administrator does in Firebase's console. */
export async function disableAccount({ uid }: Pick<TestAccount, "uid">): Promise<void> {
  await call(`${PROJECT}/accounts:update`, { localId: uid, disableUser: true });
}

export async function deleteAccount({ uid }: Pick<TestAccount, "uid">): Promise<void> {
  await call(`${PROJECT}/accounts:delete`, { localId: uid });
}

/** Logins up to this second no longer hold. */
export async function revokeTokens({ uid }: Pick<TestAccount, "uid">): Promise<void> {
  const validSince = String(Math.floor(Date.now() / 1_000) + 1);
  await call(`${PROJECT}/accounts:update`, { localId: uid, validSince });
}

async function authenticate(
  method: "signUp" | "signInWithPassword",
  email: string,
): Promise<TestAccount> {
  const password = "correct horse";
  const body = { email, password, returnSecureToken: true };
  const answer = await call(`accounts:${method}?key=any`, body, null);
  const { localId: uid, idToken: token } = SignedIn.parse(answer);
  return { uid, email, password, token };
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
