import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobProducer } from "@tapthru/runtime/job-producer";
import type { CommonQueryMethods } from "slonik";
import { bestEffort } from "../../best-effort.ts";
import { pauseAfter, refreshAfter } from "./pauses.ts";
import { type Attempt, findDuePage, recordMetadata, recordNothing } from "./queries.ts";
import type { MetadataSource } from "./source.ts";

interface Needs {
  db: CommonQueryMethods;
  /** Null where nobody may be asked; pages then stay due. */
  metadataSource: MetadataSource | null;
  jobs: JobProducer<typeof JOBS>;
}

export async function scrapeMetadata(
  { db, metadataSource, jobs }: Needs,
  attempt: Attempt,
  { requestId, signal }: { requestId: string; signal: AbortSignal },
): Promise<void> {
  if (metadataSource === null) return;
  const page = await findDuePage(db, attempt);
  if (page === null) return;

  const reading = await metadataSource.read(page, signal);
  if (reading.kind === "nothing") {
    const retryInMs = reading.lasting ? null : pauseAfter(attempt.attempt + 1, Math.random());
    await recordNothing(db, attempt, reading.outcome, retryInMs);
    return;
  }

  const refreshInMs = refreshAfter(metadataSource.freshForMs, Math.random());
  const revision = await recordMetadata(db, attempt, reading.metadata, refreshInMs);
  if (revision === null) return;
  const { canonicalUrl } = attempt;
  await bestEffort(jobs.add("spread-product", { canonicalUrl, revision }, { requestId }));
}
