import { httpErrorOf } from "../../lib/http/http-client.ts";
import { retryOnce } from "../../lib/http/retry-once.ts";
import { claimLink } from "./api/claim-link.ts";
import { clearPendingLink, readPendingLink } from "./stored-pending-link.ts";

export type ClaimOutcome = "nothing to claim" | "claimed" | "failed";

/**
 * Claims the link created while signed out, if there is one. Removes it from storage after success, 404 and 410, and
 * otherwise keeps it for the next login. A failure is only logged.
 */
export async function claimPendingLink(userId: number): Promise<ClaimOutcome> {
  const pending = readPendingLink();
  if (!pending) return "nothing to claim";
  try {
    await retryOnce(() => claimLink(pending.shortCode, userId));
    clearPendingLink();
    return "claimed";
  } catch (error) {
    console.warn(error);
    if ([404, 410].includes(httpErrorOf(error)?.status ?? 0)) clearPendingLink();
    return "failed";
  }
}
