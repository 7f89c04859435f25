import type { LinkCache } from "./link-cache.ts";
import type { RevisionFloors } from "./revision-floors.ts";
import type { UnknownCodes } from "./unknown-codes.ts";

/** What this replica knows by itself. */
export interface Memory {
  links: LinkCache;
  floors: RevisionFloors;
  unknownCodes: UnknownCodes;
}

export interface Change {
  shortCode: string;
  revision: number;
}

/** Forgets what a change made old. Hearing of it twice, or of changes out of order, does no harm. */
export function learnChange({ links, floors, unknownCodes }: Memory, change: Change): void {
  const { shortCode, revision } = change;
  unknownCodes.forget(shortCode);
  // Nothing is older than a first revision.
  if (revision === 1) return;
  floors.raise(shortCode, revision);
  links.dropOlder(shortCode, revision);
}
