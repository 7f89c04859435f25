import { bestEffort } from "@tapthru/core/platform/redis/errors";
import { readPriority } from "@tapthru/proto/jobs/catalogue";
import type { App } from "../../app.ts";
import { type Attempt, claimDueAttempts, type DueAttempt } from "./queries.ts";

interface RankedAttempt extends Attempt {
  priority: number;
}

export async function queueAttempts(app: Pick<App, "jobs">, attempts: readonly DueAttempt[]) {
  const ranked = attempts.map(({ hasMemberLink, ...attempt }) => {
    return { ...attempt, priority: refreshPriority(hasMemberLink) };
  });
  await addReads(app, ranked);
}

export type QueuePageReads = (shortCodes: readonly string[]) => Promise<void>;

export function createQueuePageReads(app: Pick<App, "db" | "metadataSource" | "jobs">): QueuePageReads {
  const rankOf = createReadRanks();
  return async (shortCodes) => {
    if (app.metadataSource === null) return;
    const claimed = await claimDueAttempts(app.db, shortCodes);
    const ranked = claimed.map(({ hasMemberLink, newLinkOwnerId, ...attempt }) => {
      const priority =
        newLinkOwnerId === null ? refreshPriority(hasMemberLink) : readPriority("member", rankOf(newLinkOwnerId));
      return { ...attempt, priority };
    });
    await addReads(app, ranked);
  };
}

function refreshPriority(hasMemberLink: boolean): number {
  return readPriority(hasMemberLink ? "member-refresh" : "anonymous-refresh");
}

/** Queued ones are not added again. Best effort: the sweep finds what could not be queued. */
async function addReads({ jobs }: Pick<App, "jobs">, attempts: readonly RankedAttempt[]) {
  const adding = attempts.map(({ priority, ...attempt }) =>
    jobs.add("scrape-metadata", attempt, { requestId: null, priority }),
  );
  await bestEffort(Promise.all(adding));
}

const WINDOW_MS = 10 * 60_000;

/** Returns how many reads it ranked for this user within the current ten minutes, without this one. */
type RankRead = (userId: number) => number;

/** Counts in memory, because one relay works at a time. */
export function createReadRanks(): RankRead {
  const counts = new Map<number, number>();
  let windowEnd = 0;
  return (userId) => {
    const now = performance.now();
    if (now >= windowEnd) {
      counts.clear();
      windowEnd = now + WINDOW_MS;
    }
    const rank = counts.get(userId) ?? 0;
    counts.set(userId, rank + 1);
    return rank;
  };
}
