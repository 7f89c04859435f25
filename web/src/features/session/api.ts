import type { Login, User } from "@tapthru/proto/accounts";
import { callApi, type InputOf } from "../../lib/http/call-api.ts";
import { invitation } from "./invitation.ts";

/** The user who is logged in, in this browser; null without a login. */
export async function getLogin(): Promise<Login | null> {
  return (await callApi("GET /api/session", { renewsSession: false })).login;
}

/** The proof of the login at the identity provider: Firebase's token, or null, as the cookie of the built-in provider is one. */
export type Proof = string | null;

const proved = (token: Proof) => ({
  ...(token !== null && { headers: { Authorization: `Bearer ${token}` } }),
  renewsSession: false,
});

/** Creates the backend user of an identity, unless there is one. */
export async function createUser(user: InputOf<"POST /api/users">["body"], token: Proof): Promise<void> {
  try {
    await callApi("POST /api/users", { body: { ...user, invitation: invitation.get() }, ...proved(token) });
    invitation.set(null);
  } catch (cause) {
    throw new Error("Failed to sync user with backend", { cause });
  }
}

export async function logIn(firebaseUid: string, token: Proof): Promise<User> {
  try {
    return await callApi("POST /api/login", { body: { firebaseUid }, ...proved(token) });
  } catch (cause) {
    throw new Error("Failed to login with backend", { cause });
  }
}

const TIMEOUT_MS = 5_000;

/** Ends the backend session, and the login at the built-in provider. @returns where an OpenID provider ends its own login */
export async function logOut(): Promise<string | null> {
  try {
    return (await callApi("POST /api/logout", { timeoutMs: TIMEOUT_MS, renewsSession: false })).redirectUrl;
  } catch (cause) {
    throw new Error("Failed to logout from backend", { cause });
  }
}

/** Gives this browser a new backend session and ends the sessions of all others. */
export async function replaceSessions(token: string, revokesKeys = false): Promise<void> {
  await callApi("POST /api/sessions", { query: { revokesKeys: `${revokesKeys}` }, ...proved(token) });
}
