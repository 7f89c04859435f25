import type { ClickBatch, LinkClicks } from "@tapthru/proto/clicks/batch";
import { UnpackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { dayOf, firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import { mergeSketches } from "@tapthru/proto/clicks/visitor-sketch";
import type { CommonQueryMethods } from "slonik";
import { addOutcomes } from "./add-outcomes.ts";
import {
  acquireClicksLock,
  createPartitions,
  type DayRow,
  findDays,
  insertBatches,
  invalidateOwnerDays,
  type LockedLink,
  lockLinks,
  upsertDays,
} from "./queries.ts";

/** What batches add to one row. */
interface DayChange {
  linkId: number;
  userId: number | null;
  day: string;
  clicks: LinkClicks[];
}

export function createPostgresClickStore(db: Pick<CommonQueryMethods, "transaction">): ClickStore {
  return { apply: (batches) => applyBatches(db, batches), followLinks: async () => {} };
}

/**
 * Adds batches to the counts in one transaction. A batch that was applied before adds nothing, nor do clicks of links
 * that were deleted.
 * @returns the number of rows that changed
 */
export function applyBatches(
  db: Pick<CommonQueryMethods, "transaction">,
  batches: readonly ClickBatch[],
): Promise<number> {
  return db.transaction(async (transaction) => {
    await acquireClicksLock(transaction);
    const isNew = await insertBatches(transaction, [...new Set(batches.map(({ id }) => id))]);
    const added = [...new Map(batches.map((batch) => [batch.id, batch])).values()].filter(
      ({ id }) => isNew.has(id),
    );
    await addOutcomes(transaction, added);
    const clicks = added.flatMap(({ links }) => links);
    if (clicks.length === 0) return 0;
    const shortCodes = new Set(clicks.map(({ shortCode }) => shortCode));
    const changes = changesOf(clicks, await lockLinks(transaction, [...shortCodes]));
    if (changes.length === 0) return 0;
    for (const month of monthsOf(changes)) await createPartitions(transaction, month);
    const current = await findDays(transaction, changes);
    await upsertDays(transaction, addChanges(changes, current));
    await invalidateOwnerDays(transaction, ownerDaysOf(changes));
    return changes.length;
  });
}

function changesOf(
  clicks: readonly LinkClicks[],
  links: ReadonlyMap<string, LockedLink>,
): DayChange[] {
  const changes = new Map<string, DayChange>();
  for (const item of clicks) {
    const link = links.get(item.shortCode);
    if (link === undefined) continue;
    const { id: linkId, userId } = link;
    const day = dayOf(item.quarter);
    const key = keyOf({ linkId, day });
    const change = changes.get(key);
    if (change === undefined) changes.set(key, { linkId, userId, day, clicks: [item] });
    else change.clicks.push(item);
  }
  return [...changes.values()];
}

/** The owners and days of the changes, each pair once. */
function ownerDaysOf(changes: readonly DayChange[]): { userId: number; day: string }[] {
  const days = new Map<string, { userId: number; day: string }>();
  for (const { userId, day } of changes)
    if (userId !== null) days.set(`${userId} ${day}`, { userId, day });
  return [...days.values()];
}

function addChanges(changes: readonly DayChange[], current: readonly DayRow[]): DayRow[] {
  const rows = new Map(current.map((row) => [keyOf(row), row]));
  return changes.map((change) => {
    const row = rows.get(keyOf(change));
    const counts = new UnpackedCounts();
    if (row !== undefined) counts.addPacked(row.counts);
    const firstQuarter = firstQuarterOf(change.day);
    for (const item of change.clicks) {
      for (const [key, count] of Object.entries(item.counts))
        counts.add(key, item.quarter - firstQuarter, count);
    }
    return {
      linkId: change.linkId,
      day: change.day,
      counts: counts.pack(),
      visitors: addVisitors(row?.visitors ?? null, change.clicks),
    };
  });
}

/** Null while there are none. */
function addVisitors(sketch: Uint8Array | null, clicks: readonly LinkClicks[]): Uint8Array | null {
  const values = clicks.flatMap(({ visitors }) => visitors);
  if (values.length === 0) return sketch;
  return mergeSketches(sketch === null ? [] : [sketch], values);
}

function keyOf({ linkId, day }: { linkId: number; day: string }): string {
  return `${linkId} ${day}`;
}

/** The first day of each month. */
function monthsOf(changes: readonly DayChange[]): Set<string> {
  return new Set(changes.map(({ day }) => `${day.slice(0, 7)}-01`));
}

/** Where clicks are counted. */
export interface ClickStore {
  /**
   * Adds batches to the counts. A batch that was applied before adds nothing, nor do clicks of links that were deleted.
   * What app-opening pages reported is in Postgres in any case.
   * @returns the number of rows that were written
   * @throws PostgresUnavailableError
   */
  apply(batches: readonly ClickBatch[]): Promise<number>;
  /** Follows deletions and claims of links, if the store does not do so itself. */
  followLinks(): Promise<void>;
}
