import { callApi } from "../../lib/http/call-api.ts";
import { retryOnce } from "../../lib/timeouts.ts";
import { readPendingLinks, removeStoredLink } from "./stored-links.ts";

export type ClaimOutcome = "nothing to claim" | "claimed" | "failed";

/**
 * Claims the links created while signed out for the user's own account, if there are any, and removes them from storage: those that
 * were not claimed no longer exist. After a failure, which is logged, the next login claims them.
 */
export async function claimPendingLinks(userId: number): Promise<ClaimOutcome> {
  const shortCodes = readPendingLinks().map(({ shortCode }) => shortCode);
  if (shortCodes.length === 0) return "nothing to claim";
  try {
    const input = { body: { userId, shortCodes }, renewsSession: false };
    await retryOnce(() => callApi("POST /api/links/bulk/claim", input));
  } catch (error) {
    console.warn(error);
    return "failed";
  }
  for (const shortCode of shortCodes) removeStoredLink(shortCode);
  return "claimed";
}
