import { type StaleLinksDependencies, updateStaleLinks } from "../../update-link-health.ts";
import type { MetadataSource, ReadResult } from "../source.ts";
import { checkDelay, nextPageCheck, stateOfRead } from "./page-check.ts";
import { findPageCheck, findPageLinks, storePageCheck } from "./page-queries.ts";
import type { WereClicked } from "./recent-clicks.ts";

/** Links of a page that decide how often it is checked. */
const LINKS_MAX_COUNT = 1_000;

export interface CheckPageDependencies extends StaleLinksDependencies {
  wereClicked: WereClicked;
}

/**
 * Stores what a read says about the health of the links to its page.
 * @returns the longest time until the next check in milliseconds; Infinity if no link with an owner leads to the page
 */
export async function checkPage(
  deps: CheckPageDependencies,
  canonicalUrl: string,
  { source, result }: { source: MetadataSource["name"]; result: ReadResult },
  signal: AbortSignal,
): Promise<number> {
  const { db, wereClicked } = deps;
  const before = await findPageCheck(db, canonicalUrl);
  if (before === null) return Number.POSITIVE_INFINITY;
  const found = stateOfRead(result);
  const now = Date.now();
  const check = nextPageCheck(before, found, now);
  const hasChanged = check.state !== before.state;
  await storePageCheck(db, canonicalUrl, {
    ...check,
    source: found === "unknown" ? before.source : source,
    attemptedAt: now,
    hasChanged,
  });
  if (hasChanged) await updateStaleLinks(deps, signal);

  const links = await findPageLinks(db, canonicalUrl, LINKS_MAX_COUNT);
  if (links.length === 0) return Number.POSITIVE_INFINITY;
  const activity = {
    isSuspected: check.suspicion !== null,
    hasNewLink: links.some(({ isNew }) => isNew),
    hasClicks: await wereClicked(links),
  };
  return checkDelay(activity, Math.random());
}
