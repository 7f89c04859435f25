import type { JobContext } from "@tapthru/core/platform/jobs/workers";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { App } from "../../app.ts";
import { type CheckPageApp, checkPage } from "./check-page/check-page.ts";
import { postponementDelay, refreshDelay, retryDelay } from "./delays.ts";
import { type Attempt, findDuePage, postpone, recordFailure, recordMetadata } from "./queries.ts";

const NO_SOURCE_DELAY_MS = 60 * 60 * 1_000;

export async function scrapeMetadata(
  app: Pick<App, "metadataSource" | "jobs"> & CheckPageApp,
  attempt: Attempt,
  { requestId, signal }: JobContext,
): Promise<void> {
  const { db, metadataSource, jobs } = app;
  if (metadataSource === null) return postpone(db, attempt, NO_SOURCE_DELAY_MS);
  const page = await findDuePage(db, attempt);
  if (page === null) return;

  const result = await metadataSource.read(page, signal);
  if (result.kind === "postponed") {
    return postpone(db, attempt, postponementDelay(result.retryInMs, Math.random()));
  }
  const { name: source, freshForMs, keepForMs } = metadataSource;
  const check = { source, result };
  const checkInMs = await checkPage(app, attempt.canonicalUrl, check, signal);
  if (result.kind === "nothing") {
    const delay = result.lasting
      ? retryDelay(Number.POSITIVE_INFINITY, Math.random())
      : Math.min(retryDelay(attempt.attempt + 1, Math.random()), checkInMs);
    return recordFailure(db, attempt, result.outcome, delay);
  }

  const refreshInMs = Math.min(refreshDelay(freshForMs, Math.random()), checkInMs);
  const revision = await recordMetadata(db, attempt, result.metadata, { refreshInMs, keepForMs });
  if (revision === null) return;
  const { canonicalUrl } = attempt;
  await bestEffort(jobs.add("propagate-metadata", { canonicalUrl, revision }, { requestId }));
}
