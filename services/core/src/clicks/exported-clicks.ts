import { keyName } from "@tapthru/proto/clicks/keys";
import { readSeries } from "@tapthru/proto/clicks/packed-counts";
import { dayOf, firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import type { Db } from "../platform/postgres/postgres.ts";
import type { ExportedClicks } from "./click-reader.ts";
import { type ClickRow, clickRowsQuery } from "./queries.ts";

/** All clicks of links, by link and day in UTC. */
export async function exportedClicks(
  db: Db<"any">,
  linkIds: readonly number[],
): Promise<ReadonlyMap<number, ExportedClicks>> {
  if (linkIds.length === 0) return new Map();
  const rows = await db.any(clickRowsQuery({ linkIds, from: 0, to: Date.now(), keys: null }));
  return new Map([...Map.groupBy(rows, ({ linkId }) => linkId)].map(([id, own]) => [id, daysOf(own)]));
}

function daysOf(rows: readonly ClickRow[]): ExportedClicks {
  const days = new Map<string, Record<string, number>>();
  for (const { start, counts } of rows) {
    const firstQuarter = firstQuarterOf(start);
    for (const [key, series] of Object.entries(counts)) {
      const name = keyName(key);
      readSeries(series, (slot, count) => {
        const day = dayOf(firstQuarter + slot);
        const sums = days.get(day) ?? {};
        days.set(day, sums);
        sums[name] = (sums[name] ?? 0) + count;
      });
    }
  }
  return [...days].map(([day, counts]) => ({ day, counts })).sort((a, b) => (a.day < b.day ? -1 : 1));
}
