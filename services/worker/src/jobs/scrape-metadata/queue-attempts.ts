import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import { readPriority } from "@tapthru/proto/jobs/read-priority";
import type { JobProducer } from "@tapthru/runtime/jobs/producer";
import type { CommonQueryMethods } from "slonik";
import { bestEffort } from "../../best-effort.ts";
import { claimDueAttempts, type DueAttempt } from "./queries.ts";
import type { MetadataSource } from "./source.ts";

interface Needs {
  db: CommonQueryMethods;
  metadataSource: MetadataSource | null;
  jobs: JobProducer<typeof JOBS>;
}

/**
 * Queues attempts, pages of members first. Queued ones are not added again. Best effort: the sweep finds what could
 * not be queued.
 */
export async function queueAttempts(
  { jobs }: Pick<Needs, "jobs">,
  attempts: readonly DueAttempt[],
): Promise<void> {
  const adding = attempts.map(({ isMembers, ...attempt }) => {
    const priority = readPriority(isMembers ? "member-refresh" : "anonymous-refresh");
    return jobs.add("scrape-metadata", attempt, { requestId: null, priority });
  });
  await bestEffort(Promise.all(adding));
}

/** Queues attempts at the due pages of these links. */
export async function queuePageReads(needs: Needs, shortCodes: readonly string[]): Promise<void> {
  if (needs.metadataSource === null) return;
  await queueAttempts(needs, await claimDueAttempts(needs.db, shortCodes));
}
