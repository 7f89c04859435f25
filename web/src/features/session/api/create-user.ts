import type { createUser as CreateUser, User } from "@tapthru/proto/http/accounts";
import { messages } from "@tapthru/proto/rules/messages";
import { callApi } from "../../../lib/http/call-api.ts";

interface NewUser {
  firebaseUid: string;
  email: string;
  username: string;
}

/** Creates the backend user of an identity, or returns the existing one. */
export async function createUser(user: NewUser, token: string): Promise<User> {
  try {
    return await callApi<typeof CreateUser>("POST", "/api/users", {
      body: user,
      headers: { Authorization: `Bearer ${token}` },
      renewsSession: false,
    });
  } catch (cause) {
    throw new Error(messages.failedToSyncUser, { cause });
  }
}
