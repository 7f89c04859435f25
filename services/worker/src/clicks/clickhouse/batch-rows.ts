import type { ClickBatch } from "@tapthru/proto/clicks/batch";
import { overflowKey } from "@tapthru/proto/clicks/keys";
import { dayOf, firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import type { LinkDay, ReferrerBound } from "./referrer-bound.ts";

interface CountedLink {
  id: number;
  /** 0 without an owner. */
  userId: number;
}
export type CountedLinks = ReadonlyMap<string, CountedLink>;

interface RowKey {
  user_id: number;
  day: string;
  link_id: number;
}
export interface CountRow extends RowKey {
  key: string;
  /** Quarter of the day. */
  slot: number;
  count: number;
}
export interface VisitorRow extends RowKey {
  /** A register value. */
  value: number;
  count: number;
}
export interface BatchRows {
  counts: CountRow[];
  visitors: VisitorRow[];
}

/** What a batch adds, in its order. Clicks of links that do not exist add nothing. */
export function batchRows(
  { links }: ClickBatch,
  known: CountedLinks,
  referrers: Pick<ReferrerBound, "keyFor">,
): BatchRows {
  const rows: BatchRows = { counts: [], visitors: [] };
  for (const { shortCode, quarter, counts, visitors } of links) {
    const link = known.get(shortCode);
    if (link === undefined) continue;
    const day = dayOf(quarter);
    const rowKey = { user_id: link.userId, day, link_id: link.id };
    const slot = quarter - firstQuarterOf(day);
    for (const [key, count] of Object.entries(counts)) {
      const counted = overflowKey(key) ? referrers.keyFor({ linkId: link.id, day }, key) : key;
      rows.counts.push({ ...rowKey, key: counted, slot, count });
    }
    for (const value of visitors) rows.visitors.push({ ...rowKey, value, count: 1 });
  }
  return rows;
}

/** The days of links with referrers or pages, and their owners. */
export function referredDays(batches: readonly ClickBatch[], known: CountedLinks): (LinkDay & { userId: number })[] {
  const days = new Map<string, LinkDay & { userId: number }>();
  for (const { shortCode, quarter, counts } of batches.flatMap(({ links }) => links)) {
    const link = known.get(shortCode);
    if (link === undefined || !Object.keys(counts).some(overflowKey)) continue;
    const day = dayOf(quarter);
    days.set(`${link.id} ${day}`, { linkId: link.id, userId: link.userId, day });
  }
  return [...days.values()];
}
