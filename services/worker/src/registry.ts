import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobHandlers } from "@tapthru/runtime/job-workers";
import type { RedirectStore } from "@tapthru/runtime/redirect-store";
import type { CommonQueryMethods } from "slonik";
import { purgeExpiredLinks } from "./jobs/purge-expired-links/handler.ts";
import { purgeIdempotencyKeys } from "./jobs/purge-idempotency-keys/handler.ts";
import { purgeLinkChanges } from "./jobs/purge-link-changes/handler.ts";

interface Needs {
  db: CommonQueryMethods;
  redirectStore: RedirectStore;
}

/** One handler for each job; it does not compile with one missing. */
export function createHandlers(needs: Needs): JobHandlers<typeof JOBS> {
  return {
    "purge-expired-links": (_payload, { signal }) => purgeExpiredLinks(needs, signal),
    "purge-idempotency-keys": (_payload, { signal }) => purgeIdempotencyKeys(needs, signal),
    "purge-link-changes": (_payload, { signal }) => purgeLinkChanges(needs, signal),
  };
}
