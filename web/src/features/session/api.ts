import type { User } from "@tapthru/proto/accounts";
import type { Link } from "@tapthru/proto/links";
import { callApi } from "../../lib/http/call-api.ts";
import { invitation } from "./invitation.ts";

const FAILED_TO_LOG_IN_TO_BACKEND = "Failed to login with backend";

interface NewUser {
  firebaseUid: string;
  email: string;
  username: string;
}

/** Creates the backend user of an identity, or returns the existing one. */
export async function createUser(user: NewUser, token: string): Promise<User> {
  try {
    const created = await callApi("POST", "/api/users", {
      body: { ...user, invitation: invitation.get() },
      headers: { Authorization: `Bearer ${token}` },
      renewsSession: false,
    });
    invitation.set(null);
    return created;
  } catch (cause) {
    throw new Error("Failed to sync user with backend", { cause });
  }
}

/** Returns the backend user. Requires a backend session of that user. */
export async function getUser(firebaseUid: string): Promise<User> {
  try {
    return await callApi("GET", "/api/users/:firebaseUid", {
      params: { firebaseUid },
      renewsSession: false,
    });
  } catch (cause) {
    throw new Error(FAILED_TO_LOG_IN_TO_BACKEND, { cause });
  }
}

export function updateUser(firebaseUid: string, username: string): Promise<User> {
  return callApi("PATCH", "/api/users/:firebaseUid", {
    params: { firebaseUid },
    body: { username },
  });
}

/** Opens a backend session. */
export async function logIn(firebaseUid: string, token: string): Promise<User> {
  try {
    return await callApi("POST", "/api/login", {
      body: { firebaseUid },
      headers: { Authorization: `Bearer ${token}` },
      renewsSession: false,
    });
  } catch (cause) {
    throw new Error(FAILED_TO_LOG_IN_TO_BACKEND, { cause });
  }
}

const TIMEOUT_MS = 5_000;

/** Ends the backend session. */
export async function logOut(): Promise<void> {
  try {
    await callApi("POST", "/api/logout", {
      timeoutMs: TIMEOUT_MS,
      renewsSession: false,
    });
  } catch (cause) {
    throw new Error("Failed to logout from backend", { cause });
  }
}

/** Gives this browser a new backend session and ends the sessions of all others. */
export async function replaceSessions(token: string, revokesKeys = false): Promise<void> {
  await callApi("POST", "/api/sessions", {
    query: { revokesKeys: `${revokesKeys}` },
    headers: { Authorization: `Bearer ${token}` },
    renewsSession: false,
  });
}

/** Attaches a link created while signed out to a user. */
export async function claimLink(shortCode: string, userId: number): Promise<Link> {
  try {
    return await callApi("PATCH", "/api/links/:shortCode", {
      params: { shortCode },
      body: { userId },
      renewsSession: false,
    });
  } catch (cause) {
    throw new Error("Failed to associate link with user", { cause });
  }
}
