import type { GeneratedLink } from "@tapthru/proto/generate";
import { callApi } from "../../lib/http/call-api.ts";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { retryOnce } from "../../lib/timeouts.ts";
import { readPendingLinks, removeStoredLink } from "./stored-links.ts";

export type ClaimOutcome = "nothing to claim" | "claimed" | "failed";

/**
 * Claims the links created while signed out for the user's own account, if there are any. Removes each from storage once it is claimed or no longer exists,
 * and otherwise keeps it for the next login. A failure is only logged.
 */
export async function claimPendingLinks(userId: number): Promise<ClaimOutcome> {
  let outcome: ClaimOutcome = "nothing to claim";

  async function claim({ shortCode }: GeneratedLink) {
    const input = { params: { shortCode }, body: { userId }, renewsSession: false, isPersonal: true };
    try {
      await retryOnce(() => callApi("PATCH /api/links/:shortCode", input));
    } catch (error) {
      if (![404, 410].includes(httpErrorOf(error)?.status ?? 0)) {
        console.warn(error);
        outcome = "failed";
        return;
      }
    }
    removeStoredLink(shortCode);
  }

  const pending = readPendingLinks();
  if (pending.length > 0) outcome = "claimed";
  await Promise.all(pending.map(claim));
  return outcome;
}
