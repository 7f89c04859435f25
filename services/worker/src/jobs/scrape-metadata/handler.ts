import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobProducer } from "@tapthru/runtime/jobs/producer";
import { bestEffort } from "@tapthru/runtime/redis/best-effort";
import type { CommonQueryMethods } from "slonik";
import { postponementDelay, refreshDelay, retryDelay } from "./delays.ts";
import { type Attempt, findDuePage, postpone, recordFailure, recordMetadata } from "./queries.ts";
import type { MetadataSource } from "./source.ts";

interface Dependencies {
  db: CommonQueryMethods;
  /** Null if no source is configured. */
  metadataSource: MetadataSource | null;
  jobs: JobProducer<typeof JOBS>;
}

const NO_SOURCE_DELAY_MS = 60 * 60 * 1_000;

export async function scrapeMetadata(
  { db, metadataSource, jobs }: Dependencies,
  attempt: Attempt,
  { requestId, signal }: { requestId: string; signal: AbortSignal },
): Promise<void> {
  if (metadataSource === null) return postpone(db, attempt, NO_SOURCE_DELAY_MS);
  const page = await findDuePage(db, attempt);
  if (page === null) return;

  const result = await metadataSource.read(page, signal);
  if (result.kind === "postponed") {
    return postpone(db, attempt, postponementDelay(result.retryInMs, Math.random()));
  }
  if (result.kind === "nothing") {
    const attempts = result.lasting ? Number.POSITIVE_INFINITY : attempt.attempt + 1;
    return recordFailure(db, attempt, result.outcome, retryDelay(attempts, Math.random()));
  }

  const { freshForMs, keepForMs } = metadataSource;
  const refreshInMs = refreshDelay(freshForMs, Math.random());
  const revision = await recordMetadata(db, attempt, result.metadata, { refreshInMs, keepForMs });
  if (revision === null) return;
  const { canonicalUrl } = attempt;
  await bestEffort(jobs.add("propagate-metadata", { canonicalUrl, revision }, { requestId }));
}
