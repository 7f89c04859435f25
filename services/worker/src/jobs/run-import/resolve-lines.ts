import { setTimeout as delay } from "node:timers/promises";
import type { Destination as LinkDestination } from "@tapthru/core/links/channel-tags";
import type { Resolution } from "@tapthru/core/platform/safe-fetch/follow-short-link";
import { lineRefusal, type Refusal } from "@tapthru/proto/imports";
import { isStorePage, parseNewDestination, parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import PQueue from "p-queue";
import type { PendingLine, PostponedLine } from "./queries.ts";

/** A batch with more short links than can be resolved in this time is imported in parts. */
const MAX_BATCH_MS = 1_000;
/** Short links that one worker looks up at once, for all imports. */
const RESOLUTIONS_AT_ONCE = 2;
/** At most five resolutions a second. */
const MIN_RESOLUTION_MS = 400;
/** After these, one after another, Amazon counts as unavailable until the end of the run. */
const MAX_FAILURES = 3;

export type ResolveShortLink = (url: string) => Promise<Resolution>;

/**
 * Where the link of a line leads, or why it cannot be created. It may be possible later if Amazon did not respond, or was
 * not requested because it did not respond before.
 */
export type Destination = LinkDestination | { refusal: Refusal } | "no-response" | "not-requested";

/** The destination of a line, or the short link that has to be resolved for it. */
function destinationOf({
  url,
  expiresAt,
}: Pick<PendingLine, "url" | "expiresAt">): Destination | { shortLink: string } {
  if (expiresAt !== null && expiresAt <= Date.now()) return { refusal: "expired" };
  const address = parseNewDestination(url);
  if (address.kind === "refused") return { refusal: lineRefusal(address.code) };
  return isStorePage(address) ? { originalUrl: url, page: address } : { shortLink: address.url };
}

/** A stored link leads to a store page, as everywhere. */
function resolvedDestination(resolution: Resolution): Destination {
  switch (resolution.kind) {
    case "resolved": {
      const page = parseStorePage(resolution.url);
      return page === null ? { refusal: "unusable-link" } : { originalUrl: resolution.url, page };
    }
    case "leads-elsewhere":
    case "not-short":
      return { refusal: "unusable-link" };
    case "bad-response":
      return resolution.permanent ? { refusal: "short-link-unknown" } : "no-response";
    case "too-slow":
      return "no-response";
  }
}

/** By the number of the line. */
export type Destinations = Map<number, Destination>;

/**
 * Finds the destinations of lines, and looks up short links among them. Lines for which the time did not suffice have none.
 * While Amazon does not respond, short links are not requested.
 */
export function createLineResolver(
  resolve: ResolveShortLink,
): (lines: readonly PendingLine[]) => Promise<Destinations> {
  let failuresInARow = 0;

  async function resolveOnce(shortLink: string): Promise<Destination> {
    if (failuresInARow >= MAX_FAILURES) return "not-requested";
    const destination = resolvedDestination(await resolve(shortLink));
    failuresInARow = destination === "no-response" ? failuresInARow + 1 : 0;
    return destination;
  }

  return async (lines) => {
    const end = performance.now() + MAX_BATCH_MS;
    const found: Destinations = new Map();
    const shortLinks: [line: number, shortLink: string][] = [];
    for (const line of lines) {
      const destination = destinationOf(line);
      if (typeof destination === "object" && "shortLink" in destination) {
        shortLinks.push([line.line, destination.shortLink]);
      } else {
        found.set(line.line, destination);
      }
    }
    const rest = shortLinks.values();
    const resolveRest = async () => {
      for (const [line, shortLink] of rest) {
        found.set(line, await resolveOnce(shortLink));
        if (performance.now() > end) return;
      }
    };
    await Promise.all(Array.from({ length: RESOLUTIONS_AT_ONCE }, resolveRest));
    return found;
  };
}

/** Limits how fast imports request Amazon's short links. Resolutions above the limit wait. */
export function limitResolutions(resolve: ResolveShortLink): ResolveShortLink {
  const queue = new PQueue({ concurrency: RESOLUTIONS_AT_ONCE });
  return (url) =>
    queue.add(async () => {
      const [resolution] = await Promise.all([resolve(url), delay(MIN_RESOLUTION_MS)]);
      return resolution;
    });
}

const FIRST_DELAY_MS = 15_000;
/** Less than the time after which an import counts as stalled. */
const MAX_DELAY_MS = 240_000;
/** About 20 minutes. */
const MAX_ATTEMPTS = 9;
/** So that lines that were not requested come first, and a few that always fail do not hold up the others. */
const REQUESTED_DELAY_MS = 1_000;

/** How long a line waits after so many failed attempts; null: it is refused. */
export function retryDelayMs(failedAttempts: number, failure: Extract<Destination, string>): number | null {
  if (failedAttempts >= MAX_ATTEMPTS) return null;
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (failedAttempts - 1), MAX_DELAY_MS);
  return failure === "no-response" ? delayMs + REQUESTED_DELAY_MS : delayMs;
}

export interface FoundLine extends PendingLine {
  destination: LinkDestination;
}

/** What becomes of due lines now: those without a destination are left to the next batch. */
export function divideLines(due: readonly PendingLine[], destinations: Readonly<Destinations>) {
  const found: FoundLine[] = [];
  const refusals = new Map<number, Refusal>();
  const postponed: PostponedLine[] = [];
  for (const line of due) {
    const destination = destinations.get(line.line);
    if (destination === undefined) continue;
    if (typeof destination === "object") {
      if ("refusal" in destination) refusals.set(line.line, destination.refusal);
      else found.push({ ...line, destination });
      continue;
    }
    const delayMs = retryDelayMs(line.attempts + 1, destination);
    if (delayMs === null) refusals.set(line.line, "short-link-failed");
    else postponed.push({ line: line.line, delayMs });
  }
  return { found, refusals, postponed };
}
