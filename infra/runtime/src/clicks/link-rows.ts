import { keyName } from "@tapthru/proto/clicks/keys";
import { readSeries, UnpackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { dayOf, firstQuarterOf, QUARTERS_PER_DAY, quarterAt } from "@tapthru/proto/clicks/quarters";
import type { Db } from "../postgres/postgres.ts";
import type { ExportedClicks } from "./click-store.ts";
import {
  type ClickRow,
  clickRowsQuery,
  type LinkClickRow,
  type LinkSet,
  type ReadRange,
} from "./queries.ts";

const DAY_MS = 86_400_000;

/** The days in UTC that have a part of the range, such as 2026-11-21. */
export function utcDays({ from, to }: ReadRange): string[] {
  const first = Math.floor(from / DAY_MS);
  const count = Math.ceil(to / DAY_MS) - first;
  return Array.from({ length: count }, (_, i) => dayOf(quarterAt((first + i) * DAY_MS)));
}

interface LinkRowsQuery {
  links: LinkSet;
  /** In order. */
  days: readonly string[];
  keys: readonly string[] | null;
}

/** The clicks of links on these days in UTC, and on no others. */
export async function readLinkRows(
  db: Db<"any">,
  { links, days, keys }: LinkRowsQuery,
): Promise<LinkClickRow[]> {
  if ("length" in links && links.length === 0) return [];
  const rows: LinkClickRow[] = [];
  for (const range of rangesOf(days)) {
    const found = await db.any(clickRowsQuery({ links, keys, ...range }));
    for (const row of found) rows.push(row.estimates === null ? row : withinRange(row, range));
  }
  return rows;
}

/** Days that follow each other are read together. */
export function rangesOf(days: readonly string[]): ReadRange[] {
  const ranges: ReadRange[] = [];
  for (const day of days) {
    const from = Date.parse(day);
    const range = ranges.at(-1);
    if (range?.to === from) range.to = from + DAY_MS;
    else ranges.push({ from, to: from + DAY_MS });
  }
  return ranges;
}

/** The part of a month that is in the range, which begins and ends with a day. */
function withinRange(row: LinkClickRow, { from, to }: ReadRange): LinkClickRow {
  const monthStart = firstQuarterOf(row.start);
  const [first, end] = [quarterAt(from) - monthStart, quarterAt(to) - monthStart];
  const isInRange = (slot: number) => slot >= first && slot < end;
  const counts = new UnpackedCounts(Number.POSITIVE_INFINITY);
  for (const [key, series] of Object.entries(row.counts)) {
    readSeries(series, (slot, count) => {
      if (isInRange(slot)) counts.add(key, slot, count);
    });
  }
  const estimates = Object.entries(row.estimates ?? {}).filter(([dayOfMonth]) =>
    isInRange((Number(dayOfMonth) - 1) * QUARTERS_PER_DAY),
  );
  return { ...row, counts: counts.pack(), estimates: Object.fromEntries(estimates) };
}

/** All clicks of links, by link and day in UTC. */
export async function exportedClicks(
  db: Db<"any">,
  linkIds: readonly number[],
): Promise<ReadonlyMap<number, ExportedClicks>> {
  if (linkIds.length === 0) return new Map();
  const rows = await db.any(
    clickRowsQuery({ links: linkIds, from: 0, to: Date.now(), keys: null }),
  );
  return new Map(
    [...Map.groupBy(rows, ({ linkId }) => linkId)].map(([id, own]) => [id, daysOf(own)]),
  );
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
  return [...days]
    .map(([day, counts]) => ({ day, counts }))
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}
