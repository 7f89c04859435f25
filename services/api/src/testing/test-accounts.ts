import { randomBytes } from "node:crypto";
import * as z from "zod/mini";

const SignedUp = z.object({ localId: z.string(), idToken: z.string() });
const Found = z.object({ users: z.optional(z.array(z.object({ localId: z.string() }))) });
/** The emulator starts with the first account that a run of tests makes. */
export const EMULATOR_START_MS = 60_000;

const PROJECT = "projects/demo-tapthru";

/** An account at the emulator, signed in. */
export interface TestAccount {
  uid: string;
  email: string;
  /** Its ID token. */
  token: string;
}

export async function createAccount(): Promise<TestAccount> {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const body = { email, password: "correct horse", returnSecureToken: true };
  const { localId: uid, idToken: token } = SignedUp.parse(
    await call("accounts:signUp?key=any", body, null),
  );
  return { uid, email, token };
}

/** What an administrator does in Firebase's console. */
export async function disableAccount({ uid }: Pick<TestAccount, "uid">): Promise<void> {
  await call(`${PROJECT}/accounts:update`, { localId: uid, disableUser: true });
}

export async function deleteAccount({ uid }: Pick<TestAccount, "uid">): Promise<void> {
  await call(`${PROJECT}/accounts:delete`, { localId: uid });
}

/** Null where the emulator has no such account. */
export async function findAccount({ uid }: Pick<TestAccount, "uid">): Promise<object | null> {
  const { users = [] } = Found.parse(await call(`${PROJECT}/accounts:lookup`, { localId: [uid] }));
  return users[0] ?? null;
}

/** Logins up to this second no longer hold. */
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
