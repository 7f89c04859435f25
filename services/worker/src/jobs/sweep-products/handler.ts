import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobProducer } from "@tapthru/runtime/jobs/producer";
import { bestEffort } from "@tapthru/runtime/redis/errors";
import type { CommonQueryMethods } from "slonik";
import { queueAttempts } from "../scrape-metadata/queue-attempts.ts";
import type { MetadataSource } from "../scrape-metadata/source.ts";
import {
  clearExpiredLicensedMetadata,
  findDueAttempts,
  findUnpropagated,
  postponeUnreferenced,
} from "./queries.ts";

/** Maximum of each kind per sweep; later sweeps find the rest. */
const SWEEP_LIMIT = 10_000;
const BATCH = 500;
/**
 * Pages per sweep that were read before or could not be: two requests in a second, however many workers there are and
 * pages are due.
 */
const REPEATED_READS_LIMIT = 60;

interface Dependencies {
  db: CommonQueryMethods;
  metadataSource: MetadataSource | null;
  jobs: JobProducer<typeof JOBS>;
}

/** Idempotent: queued jobs are not added again. */
export async function sweepProducts(deps: Dependencies, signal: AbortSignal): Promise<void> {
  await clearExpiredLicensedMetadata(deps.db, SWEEP_LIMIT);
  await sweepChanges(deps, signal);
  if (deps.metadataSource === null) return;
  await postponeUnreferenced(deps.db, SWEEP_LIMIT);
  const limits = { firstReads: SWEEP_LIMIT, repeatedReads: REPEATED_READS_LIMIT };
  const due = await findDueAttempts(deps.db, limits);
  for (const batch of batches(due, signal)) await queueAttempts(deps, batch);
}

async function sweepChanges({ db, jobs }: Dependencies, signal: AbortSignal): Promise<void> {
  const unpropagated = await findUnpropagated(db, SWEEP_LIMIT);
  for (const batch of batches(unpropagated, signal)) {
    const adding = batch.map((page) => jobs.add("propagate-metadata", page, { requestId: null }));
    await bestEffort(Promise.all(adding));
  }
}

function* batches<T>(items: readonly T[], signal: AbortSignal): Generator<readonly T[]> {
  for (let i = 0; i < items.length && !signal.aborted; i += BATCH) yield items.slice(i, i + BATCH);
}
