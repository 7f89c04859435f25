import type { App, Stoppable } from "../../app.ts";
import { checkPage } from "./check-page/check-page.ts";
import { postponementDelay, refreshDelay, retryDelay } from "./delays.ts";
import { type Attempt, findDuePage, postpone, recordFailure, recordMetadata } from "./queries.ts";

const NO_SOURCE_DELAY_MS = 60 * 60 * 1_000;

export async function scrapeMetadata(
  app: Pick<App, "db" | "metadataSource">,
  attempt: Attempt,
  { signal }: Stoppable,
): Promise<void> {
  const { db, metadataSource } = app;
  if (metadataSource === null) return postpone(db, attempt, NO_SOURCE_DELAY_MS);
  const page = await findDuePage(db, attempt);
  if (page === null) return;

  const result = await metadataSource.read(page, signal);
  if (result.kind === "postponed") {
    return postpone(db, attempt, postponementDelay(result.retryInMs, Math.random()));
  }
  const { name: source, freshForMs, keepForMs } = metadataSource;
  const checkInMs = await checkPage(app, attempt.canonicalUrl, { source, result });
  if (result.kind === "nothing") {
    const delay = result.lasting
      ? retryDelay(Number.POSITIVE_INFINITY, Math.random())
      : Math.min(retryDelay(attempt.attempt + 1, Math.random()), checkInMs);
    return recordFailure(db, attempt, result.outcome, delay);
  }

  const refreshInMs = Math.min(refreshDelay(freshForMs, Math.random()), checkInMs);
  await recordMetadata(db, attempt, result.metadata, { refreshInMs, keepForMs });
}
