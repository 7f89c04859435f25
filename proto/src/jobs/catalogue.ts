import type { JobCatalogue } from "./definition.ts";
import { purgeIdempotencyKeys } from "./purge-idempotency-keys.ts";

/** Every job there is. */
export const JOBS = {
  [purgeIdempotencyKeys.name]: purgeIdempotencyKeys,
} satisfies JobCatalogue;
