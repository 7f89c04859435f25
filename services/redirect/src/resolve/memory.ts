import { LRUCache } from "lru-cache";
import type { LinkCache } from "./link-cache.ts";
import type { RevisionFloors } from "./revision-floors.ts";

const UNKNOWN_FOR_MS = 10_000;

/** What this replica knows by itself. */
export interface Memory {
  links: LinkCache;
  floors: RevisionFloors;
  /** Codes that Postgres did not know at most 10 seconds ago. */
  unknownCodes: LRUCache<string, true>;
}

export function createUnknownCodes(max: number): Memory["unknownCodes"] {
  return new LRUCache({ max, ttl: UNKNOWN_FOR_MS });
}

export interface Change {
  shortCode: string;
  revision: number;
}

/** Forgets what a change made old. Hearing of it twice, or of changes out of order, does no harm. */
export function applyChange({ links, floors, unknownCodes }: Memory, change: Change): void {
  const { shortCode, revision } = change;
  unknownCodes.delete(shortCode);
  // Nothing is older than a first revision.
  if (revision === 1) return;
  floors.raise(shortCode, revision);
  links.dropOlder(shortCode, revision);
}
