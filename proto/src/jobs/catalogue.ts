import type { JobCatalogue } from "./definition.ts";
import { purgeExpiredLinks } from "./purge-expired-links.ts";
import { purgeIdempotencyKeys } from "./purge-idempotency-keys.ts";
import { purgeLinkChanges } from "./purge-link-changes.ts";

/** Every job there is. */
export const JOBS = {
  [purgeExpiredLinks.name]: purgeExpiredLinks,
  [purgeIdempotencyKeys.name]: purgeIdempotencyKeys,
  [purgeLinkChanges.name]: purgeLinkChanges,
} satisfies JobCatalogue;
