import type { getUser as GetUser, User } from "@tapthru/proto/http/accounts";
import { messages } from "@tapthru/proto/rules/messages";
import { callApi } from "../../../lib/http/call-api.ts";

/** Returns the backend user. Requires a backend session of that user. */
export async function getUser(firebaseUid: string): Promise<User> {
  try {
    return await callApi<typeof GetUser>("GET", "/api/users/:firebaseUid", {
      params: { firebaseUid },
      renewsSession: false,
    });
  } catch (cause) {
    throw new Error(messages.failedToLogInToBackend, { cause });
  }
}
