import { bestEffort } from "@tapthru/core/platform/redis/errors";
import { readPriority } from "@tapthru/proto/jobs/catalogue";
import type { App } from "../../app.ts";
import { claimDueAttempts, type DueAttempt } from "./queries.ts";

/** Queued ones are not added again. Best effort: the sweep finds what could not be queued. */
export async function queueAttempts({ jobs }: Pick<App, "jobs">, attempts: readonly DueAttempt[]): Promise<void> {
  const adding = attempts.map(({ canonicalUrl, attempt, hasMemberLink, rank }) => {
    const refresh = readPriority(hasMemberLink ? "member-refresh" : "anonymous-refresh");
    const priority = rank === null ? refresh : readPriority("member", rank);
    return jobs.add("scrape-metadata", { canonicalUrl, attempt }, { requestId: null, priority });
  });
  await bestEffort(Promise.all(adding));
}

export async function queuePagesOf(app: Pick<App, "db" | "metadataSource" | "jobs">, shortCodes: readonly string[]) {
  if (app.metadataSource !== null) await queueAttempts(app, await claimDueAttempts(app.db, shortCodes));
}
