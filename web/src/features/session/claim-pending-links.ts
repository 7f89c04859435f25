import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { retryOnce } from "../../lib/http/retry-once.ts";
import { savePendingLinks } from "../../lib/pending-link.ts";
import { claimLink } from "./api/claim-link.ts";
import { clearPendingLinks, readPendingLinks } from "./stored-pending-links.ts";

export type ClaimOutcome = "nothing to claim" | "claimed" | "failed";

/**
 * Claims the links created while signed out, if there are any. Removes them from storage after success, 404 and 410,
 * and otherwise keeps them for the next login. A failure is only logged.
 */
export async function claimPendingLinks(userId: number): Promise<ClaimOutcome> {
  const pending = readPendingLinks();
  if (!pending) return "nothing to claim";
  const kept: GeneratedLink[] = [];
  let hasFailed = false;

  async function claim(link: GeneratedLink) {
    try {
      await retryOnce(() => claimLink(link.shortCode, userId));
    } catch (error) {
      console.warn(error);
      hasFailed = true;
      if (![404, 410].includes(httpErrorOf(error)?.status ?? 0)) kept.push(link);
    }
  }

  await Promise.all(pending.links.map(claim));
  clearPendingLinks();
  savePendingLinks(kept, pending.returnPath);
  return hasFailed ? "failed" : "claimed";
}
