import { LRUCache } from "lru-cache";
import type { RevisionFloor } from "../revision-floor.ts";
import type { LinkCache } from "./link-cache.ts";

const UNKNOWN_CODE_TTL_MS = 10_000;

/** State in the memory of this replica. */
export interface Memory {
  links: LinkCache;
  revisionFloor: RevisionFloor;
  /** Codes that Postgres did not know within the last 10 seconds. */
  unknownCodes: LRUCache<string, true>;
}

export function createUnknownCodes(max: number): Memory["unknownCodes"] {
  return new LRUCache({ max, ttl: UNKNOWN_CODE_TTL_MS });
}

export interface Change {
  shortCode: string;
  revision: number;
}

/** Invalidates what the change made stale. Idempotent; changes may arrive in any order. */
export function applyChange({ links, revisionFloor, unknownCodes }: Memory, change: Change): void {
  const { shortCode, revision } = change;
  unknownCodes.delete(shortCode);
  // A first revision makes nothing stale.
  if (revision === 1) return;
  revisionFloor.raise(shortCode, revision);
  links.deleteOlder(shortCode, revision);
}
