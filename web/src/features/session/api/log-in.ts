import type { login as Login, User } from "@tapthru/proto/http/accounts";
import { messages } from "@tapthru/proto/rules/messages";
import { callApi } from "../../../lib/http/call-api.ts";

/** Opens a backend session. */
export async function logIn(firebaseUid: string, token: string): Promise<User> {
  try {
    return await callApi<typeof Login>("POST", "/api/login", {
      body: { firebaseUid },
      headers: { Authorization: `Bearer ${token}` },
      renewsSession: false,
    });
  } catch (cause) {
    throw new Error(messages.failedToLogInToBackend, { cause });
  }
}
