import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobProducer } from "@tapthru/runtime/job-producer";
import type { CommonQueryMethods } from "slonik";
import { bestEffort } from "../../best-effort.ts";
import { type Attempt, takeDueAttemptsOf } from "./queries.ts";
import type { MetadataSource } from "./source.ts";

interface Needs {
  db: CommonQueryMethods;
  metadataSource: MetadataSource | null;
  jobs: JobProducer<typeof JOBS>;
}

/** Those that are queued already are dropped. Best effort: the sweep finds what could not be queued. */
export async function queueAttempts(
  { jobs }: Pick<Needs, "jobs">,
  attempts: readonly Attempt[],
): Promise<void> {
  const adding = attempts.map((attempt) => jobs.add("scrape-metadata", attempt, NOBODY));
  await bestEffort(Promise.all(adding));
}

/** Queues readings of those pages of the links that are due. */
export async function queuePagesOf(needs: Needs, shortCodes: readonly string[]): Promise<void> {
  if (needs.metadataSource === null) return;
  await queueAttempts(needs, await takeDueAttemptsOf(needs.db, shortCodes));
}

const NOBODY = { requestId: null };
