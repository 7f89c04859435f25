import { classKey } from "@tapthru/proto/clicks/keys";
import { readSeries } from "@tapthru/proto/clicks/packed-counts";
import { firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import type { ClickRange } from "./click-range.ts";
import { Periods } from "./click-sums.ts";
import type { LinkClickRow } from "./queries.ts";

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
