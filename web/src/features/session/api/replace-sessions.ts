import type { replaceSessions as ReplaceSessions } from "@tapthru/proto/http/sessions";
import { callApi } from "../../../lib/http/call-api.ts";

/** Gives this browser a new backend session and ends the sessions of all others. */
export async function replaceSessions(token: string): Promise<void> {
  await callApi<typeof ReplaceSessions>("POST", "/api/sessions", {
    headers: { Authorization: `Bearer ${token}` },
    renewsSession: false,
  });
}
