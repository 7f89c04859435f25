import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import { readPriority } from "@tapthru/proto/jobs/read-priority";
import type { JobProducer } from "@tapthru/runtime/jobs/producer";
import { bestEffort } from "@tapthru/runtime/redis/best-effort";
import type { CommonQueryMethods } from "slonik";
import { claimDueAttempts, type DueAttempt } from "./queries.ts";
import type { MetadataSource } from "./source.ts";

interface Dependencies {
  db: CommonQueryMethods;
  metadataSource: MetadataSource | null;
  jobs: JobProducer<typeof JOBS>;
}

/**
 * Queues attempts, pages of members first. Queued ones are not added again. Best effort: the sweep finds what could
 * not be queued.
 */
export async function queueAttempts(
  { jobs }: Pick<Dependencies, "jobs">,
  attempts: readonly DueAttempt[],
): Promise<void> {
  const adding = attempts.map(({ hasMemberLink, ...attempt }) => {
    const priority = readPriority(hasMemberLink ? "member-refresh" : "anonymous-refresh");
    return jobs.add("scrape-metadata", attempt, { requestId: null, priority });
  });
  await bestEffort(Promise.all(adding));
}

/** Queues attempts at the due pages of these links. */
export async function queuePageReads(
  deps: Dependencies,
  shortCodes: readonly string[],
): Promise<void> {
  if (deps.metadataSource === null) return;
  await queueAttempts(deps, await claimDueAttempts(deps.db, shortCodes));
}
