import type { ClickTotals } from "@tapthru/proto/clicks";
import { classKey } from "@tapthru/proto/clicks/keys";
import { readSeries } from "@tapthru/proto/clicks/packed-counts";
import { firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import type { ClickRange } from "./click-range.ts";
import { ClickSums, Periods } from "./click-sums.ts";
import type { LinkClickRow, ReadRange } from "./queries.ts";

/** The totals of each link with clicks in the range. */
export function linkTotals(rows: readonly LinkClickRow[], range: ReadRange): Map<number, ClickTotals> {
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

/** The people of each link for each start of the range. */
export function peopleByPeriod(rows: readonly LinkClickRow[], range: ClickRange): Map<number, number[]> {
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
