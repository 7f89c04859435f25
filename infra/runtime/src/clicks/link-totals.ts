import { classKey } from "@tapthru/proto/clicks/keys";
import { readSeries } from "@tapthru/proto/clicks/packed-counts";
import { firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import type { ClickTotals } from "@tapthru/proto/http/clicks";
import type { Db } from "../postgres/postgres.ts";
import type { ClickRange } from "./click-range.ts";
import { ClickSums, Periods } from "./click-sums.ts";
import { readLinkRows } from "./link-rows.ts";
import { findLinkTotals, type LinkClickRow, type ReadRange } from "./queries.ts";

const DAY_MS = 86_400_000;

interface LinkTotalsQuery extends ReadRange {
  userId: number;
  linkIds: readonly number[];
  /** The days in UTC that were added up for all links of the user. */
  ownerDays: readonly string[];
  /** The clicks of the links on the other days. */
  rows: readonly LinkClickRow[];
  keys: readonly string[];
}

/** The totals of each of the links with clicks in the range. Of days that are in it in part, the rows of the links are read. */
export async function linkTotals(
  db: Db<"any">,
  { userId, linkIds, ownerDays, rows, keys, ...range }: LinkTotalsQuery,
): Promise<ReadonlyMap<number, ClickTotals>> {
  const partDays = ownerDays.filter((day) => !isWithin(day, range));
  const partRows = await readLinkRows(db, { links: linkIds, keys, days: partDays });
  const totals = sumRows([...rows, ...partRows], range);
  const wholeDays = ownerDays.filter((day) => isWithin(day, range));
  if (wholeDays.length === 0) return totals;
  for (const { linkId, ...sums } of await findLinkTotals(db, {
    userId,
    linkIds,
    days: wholeDays,
  })) {
    totals.set(linkId, plus(sums, totals.get(linkId)));
  }
  return totals;
}

export function isWithin(day: string, { from, to }: ReadRange): boolean {
  const start = Date.parse(day);
  return start >= from && start + DAY_MS <= to;
}

function sumRows(rows: readonly LinkClickRow[], range: ReadRange): Map<number, ClickTotals> {
  const periods = new Periods({ ...range, starts: [range.from] });
  const totals = new Map<number, ClickTotals>();
  for (const [linkId, linkRows] of Map.groupBy(rows, (row) => row.linkId)) {
    const sums = new ClickSums(periods);
    for (const row of linkRows) sums.add(row);
    const sum = sums.totals();
    if (Object.values(sum).some((count) => count > 0)) totals.set(linkId, sum);
  }
  return totals;
}

function plus(a: ClickTotals, b: ClickTotals | undefined): ClickTotals {
  if (b === undefined) return a;
  return {
    person: a.person + b.person,
    preview: a.preview + b.preview,
    bot: a.bot + b.bot,
    prefetch: a.prefetch + b.prefetch,
    assistant: a.assistant + b.assistant,
    visitors: a.visitors + b.visitors,
    opened: a.opened + b.opened,
  };
}

/** The people of each link for each start of the range. */
export function peopleByPeriod(
  rows: readonly LinkClickRow[],
  range: ClickRange,
): Map<number, number[]> {
  const periods = new Periods(range);
  const people = new Map<number, number[]>();
  for (const { linkId, start, counts } of rows) {
    const ofLink = people.get(linkId) ?? new Array<number>(periods.count).fill(0);
    people.set(linkId, ofLink);
    const firstQuarter = firstQuarterOf(start);
    readSeries(counts[classKey("person")] ?? "", (slot, count) => {
      const index = periods.indexOf(firstQuarter + slot);
      if (index !== undefined) ofLink[index] = (ofLink[index] ?? 0) + count;
    });
  }
  return people;
}
