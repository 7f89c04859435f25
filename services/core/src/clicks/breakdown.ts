import type { ClickBreakdown, ClickReport, ClickTotals } from "@tapthru/proto/clicks";
import {
  AD_SOURCE,
  CLICK_CLASSES,
  type Dimension,
  dimensionValue,
  NO_CLICKS,
  OPENED_KEY,
  ORIGINAL_STORE,
  OTHER_REFERRER,
  PAGE_KEY,
  PAYABLE,
  PROGRAM_CLASSES,
  STAYED_KEY,
} from "@tapthru/proto/clicks/keys";
import { readSeries } from "@tapthru/proto/clicks/packed-counts";
import { firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import type { Periods } from "./click-sums.ts";
import type { ClickRow, OwnLink } from "./queries.ts";

type Part = ClickReport["breakdown"][number];

/** Further ones, with the fewest people, are omitted. */
const MAX_PARTS = 1_000;
export const MAX_LINKS = 100;

export interface BreakdownInput {
  totals: ClickTotals;
  sums: ReadonlyMap<string, number>;
  byLink: ReadonlyMap<number, ClickTotals>;
  links: readonly OwnLink[];
}

export function breakdown(by: ClickBreakdown, input: BreakdownInput): Part[] {
  const counted = classOf(by);
  return partsOf(by, input)
    .sort((a, b) => b[counted] - a[counted] || (a.key < b.key ? -1 : 1))
    .slice(0, MAX_PARTS);
}

/** The class whose clicks a breakdown counts. */
const classOf = (by: ClickBreakdown) => PROGRAM_CLASSES.find((each) => each === by) ?? "person";

function partsOf(by: ClickBreakdown, input: BreakdownInput): Part[] {
  switch (by) {
    case "class":
      return classParts(input.totals);
    case "outcome":
      return outcomeParts(input);
    case "link":
      return linkParts(input);
    case "store":
      return [...dimensionParts(by, input), ...restOf(by, ORIGINAL_STORE, input)];
    case "pay":
      return [...dimensionParts(by, input), ...restOf(by, PAYABLE, input)];
    default:
      return dimensionParts(by, input);
  }
}

const OUTCOME_KEYS = [OPENED_KEY, PAGE_KEY, STAYED_KEY];
const NO_COUNTS = { ...NO_CLICKS, visitors: null, opened: null, tried: null };

function classParts(totals: ClickTotals): Part[] {
  return CLICK_CLASSES.map((key) => ({
    ...NO_COUNTS,
    key,
    [key]: totals[key],
    ...(key === "person" && { visitors: totals.visitors, opened: totals.opened, tried: totals.tried }),
  }));
}

function outcomeParts({ sums }: BreakdownInput): Part[] {
  const count = (key: string) => sums.get(key) ?? 0;
  const [opened, stayed] = [count(OPENED_KEY), count(STAYED_KEY)];
  const unknown = Math.max(0, count(PAGE_KEY) - opened - stayed);
  return [
    { ...NO_COUNTS, key: "opened", person: opened, opened },
    { ...NO_COUNTS, key: "stayed", person: stayed },
    { ...NO_COUNTS, key: "unknown", person: unknown },
  ];
}

function linkParts({ links, byLink }: BreakdownInput): Part[] {
  return links.flatMap(({ id, shortCode }) => {
    const totals = byLink.get(id);
    return totals === undefined ? [] : [{ key: shortCode, ...totals }];
  });
}

function dimensionParts(dimension: Dimension, { sums }: BreakdownInput): Part[] {
  const people = new Map<string, number>();
  for (const [key, person] of sums) {
    const value = dimensionValue(dimension, key);
    if (value === null || person === 0) continue;
    // Anyone can name a source once.
    const shown = dimension === "source" && person < 2 && value !== AD_SOURCE ? OTHER_REFERRER : value;
    people.set(shown, (people.get(shown) ?? 0) + person);
  }
  return Array.from(people, ([key, count]) => ({ ...NO_COUNTS, key, [classOf(dimension)]: count }));
}

/** Taps without a key of the dimension. */
function restOf(dimension: Dimension, key: string, input: BreakdownInput): Part[] {
  const others = dimensionParts(dimension, input).reduce((sum, { person }) => sum + person, 0);
  const person = Math.max(0, input.totals.person - others);
  return person === 0 ? [] : [{ ...NO_COUNTS, key, person }];
}

export function isSummed(by: ClickBreakdown): (key: string) => boolean {
  if (by === "class" || by === "link") return () => false;
  if (by === "outcome") return (key) => OUTCOME_KEYS.includes(key);
  return (key) => dimensionValue(by, key) !== null;
}

export function addKeySums(
  sums: Map<string, number>,
  rows: readonly ClickRow[],
  periods: Periods,
  isRead: (key: string) => boolean,
): void {
  for (const { day, counts } of rows) {
    const firstQuarter = firstQuarterOf(day);
    for (const [key, series] of Object.entries(counts)) {
      if (!isRead(key)) continue;
      let sum = sums.get(key) ?? 0;
      readSeries(series, (slot, count) => {
        if (periods.indexOf(firstQuarter + slot) !== undefined) sum += count;
      });
      sums.set(key, sum);
    }
  }
}
