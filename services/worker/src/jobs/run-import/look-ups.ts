import {
  type Destination,
  destinationOf,
  type ResolveShortLink,
  resolvedDestination,
} from "./find-destination.ts";
import type { PendingLine } from "./queries.ts";

/** A batch with more short links than can be looked up in this time is imported in parts. */
const MAX_BATCH_MS = 1_000;
const LOOK_UPS_AT_ONCE = 2;
/** After these, one after another, Amazon counts as unavailable until the end of the run. */
const MAX_FAILURES = 3;

/** By the number of the line. */
export type Destinations = Map<number, Destination>;

/**
 * Finds the destinations of lines, and looks up short links among them. Lines for which the time did not suffice have none.
 * While Amazon does not respond, short links are not requested.
 */
export function createLookUps(
  resolve: ResolveShortLink,
): (lines: readonly PendingLine[]) => Promise<Destinations> {
  let failuresInARow = 0;

  async function lookUp(shortLink: string): Promise<Destination> {
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
    const lookUpRest = async () => {
      for (const [line, shortLink] of rest) {
        found.set(line, await lookUp(shortLink));
        if (performance.now() > end) return;
      }
    };
    await Promise.all(Array.from({ length: LOOK_UPS_AT_ONCE }, lookUpRest));
    return found;
  };
}
