import { dayOf, quarterAt } from "@tapthru/proto/clicks/quarters";
import { forEachItem } from "@tapthru/runtime/failed-items";
import type { Logger } from "@tapthru/runtime/logger";
import type { CommonQueryMethods } from "slonik";
import { acquireClicksLock, createPartitions } from "../../clicks/queries.ts";
import { findPartitionMonths } from "../roll-up-clicks/queries.ts";
import { ownerDay } from "./owner-day.ts";
import {
  findLastDay,
  findLinkDays,
  findLinkIds,
  findLinkMonths,
  findPendingDays,
  findPendingOwner,
  insertOwnerDays,
  lockOwner,
  setLastDay,
  updateOwnerDay,
} from "./queries.ts";

/** Reports of fewer links read the rows of the links fast enough. */
const MIN_LINKS = 100;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** The last clicks of a day arrive within this time after its end; later ones only cause it to be added up again. */
const ARRIVAL_MS = 10 * 60_000;
/** Rows of `clicks` that are read in one transaction, which clicks that arrive wait for. */
const ROWS_PER_BATCH = 10_000;
const DAYS_PER_BATCH = 31;

/**
 * Adds up the clicks of all links of each user with many links, for each day in UTC that ended, and again for days whose
 * clicks changed.
 */
export async function sumOwnerClicks(
  { db, logger }: { db: CommonQueryMethods; logger: Logger },
  signal: AbortSignal,
  now: number = Date.now(),
): Promise<void> {
  const lastDay = dayOf(quarterAt(now - ARRIVAL_MS - DAY_MS));
  let hasMore = true;
  while (hasMore && !signal.aborted) hasMore = await addNextDay(db, lastDay);
  const loop = { db, logger, kind: "sum-owner-clicks", signal };
  const skipped: number[] = [];
  while (!signal.aborted) {
    const userId = await findPendingOwner(db, skipped);
    if (userId === null) return;
    let isDone = false;
    await forEachItem(
      loop,
      [userId],
      (id) => id,
      async (id) => {
        await sumBatch(db, id);
        isDone = true;
      },
    );
    if (!isDone) skipped.push(userId);
  }
}

/** Inserts the rows of the next day that ended, without a lock. @returns whether there was one */
async function addNextDay(db: CommonQueryMethods, lastDay: string): Promise<boolean> {
  const previous = await findLastDay(db);
  const months = [
    ...(await findPartitionMonths(db, "clicks")),
    ...(await findPartitionMonths(db, "monthly_clicks")),
  ];
  const [oldestMonth] = months.sort();
  if (oldestMonth === undefined) return false;
  const [day = oldestMonth] = [nextDay(previous), oldestMonth].sort().reverse();
  if (day > lastDay) return false;
  await createPartitions(db, day);
  await insertOwnerDays(db, { day, minLinks: MIN_LINKS });
  await setLastDay(db, day);
  return true;
}

function nextDay(day: string): string {
  return dayOf(quarterAt(Date.parse(day) + DAY_MS));
}

/** Adds up some days of one user. */
function sumBatch(db: CommonQueryMethods, userId: number): Promise<void> {
  return db.transaction(async (transaction) => {
    await acquireClicksLock(transaction);
    await lockOwner(transaction, userId);
    const linkIds = await findLinkIds(transaction, userId);
    const limit = Math.floor(ROWS_PER_BATCH / Math.max(1, linkIds.length));
    const days = await findPendingDays(
      transaction,
      userId,
      Math.max(1, Math.min(DAYS_PER_BATCH, limit)),
    );
    const rows = {
      days: await findLinkDays(transaction, { linkIds, days }),
      months: await findLinkMonths(transaction, { linkIds, days }),
    };
    for (const day of days) await updateOwnerDay(transaction, userId, ownerDay(day, rows));
  });
}
