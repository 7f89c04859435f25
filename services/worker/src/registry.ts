import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobHandlers } from "@tapthru/runtime/job-workers";
import type { CommonQueryMethods } from "slonik";
import { purgeIdempotencyKeys } from "./jobs/purge-idempotency-keys/handler.ts";

/** One handler for each job; it does not compile with one missing. */
export function createHandlers(needs: { db: CommonQueryMethods }): JobHandlers<typeof JOBS> {
  return {
    "purge-idempotency-keys": (_payload, { signal }) => purgeIdempotencyKeys(needs, signal),
  };
}
