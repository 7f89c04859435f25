import type { logout as Logout } from "@tapthru/proto/http/accounts";
import { messages } from "@tapthru/proto/rules/messages";
import { callApi } from "../../../lib/http/call-api.ts";

const TIMEOUT_MS = 5_000;

/** Ends the backend session. */
export async function logOut(): Promise<void> {
  try {
    await callApi<typeof Logout>("POST", "/api/logout", {
      timeoutMs: TIMEOUT_MS,
      renewsSession: false,
    });
  } catch (cause) {
    throw new Error(messages.failedToLogOutOfBackend, { cause });
  }
}
