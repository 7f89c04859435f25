import { CLICK_CLASSES, classKey, NO_CLICKS, OPENED_KEY } from "@tapthru/proto/clicks/keys";
import { type PackedCounts, readSeries, UnpackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { firstQuarterOf, QUARTERS_PER_DAY } from "@tapthru/proto/clicks/quarters";
import { estimateVisitors, mergeSketches } from "@tapthru/proto/clicks/visitor-sketch";
import type { ClickTotals } from "@tapthru/proto/http/clicks";
import type { DayRow } from "../../clicks/queries.ts";
import type { MonthRow } from "../roll-up-clicks/queries.ts";

export type LinkMonth = MonthRow & { month: string };

/** The clicks of all links of a user on a day in UTC. */
export interface OwnerDay {
  day: string;
  counts: PackedCounts;
  /** Null if there are no visitors. */
  sketch: Uint8Array | null;
  /** The estimates of links whose days have no sketches. */
  rolledUpVisitors: number;
  /** The totals of each link that has clicks. */
  links: ({ linkId: number } & ClickTotals)[];
}

const TOTAL_KEYS = [
  ...CLICK_CLASSES.map((name) => [name, classKey(name)] as const),
  ["opened", OPENED_KEY] as const,
];

/** The clicks of a link on the day; the sketch of a month that was rolled up is null. */
interface LinkDay {
  linkId: number;
  counts: PackedCounts;
  sketch: Uint8Array | null;
  estimate: number;
}

/** @param rows of all links of the user; those of other days and months are ignored */
export function ownerDay(
  day: string,
  rows: { days: readonly DayRow[]; months: readonly LinkMonth[] },
): OwnerDay {
  const linkDays = [
    ...rows.days.filter((row) => row.day === day).map(ofDayRow),
    ...rows.months
      .filter(({ month }) => month.slice(0, 7) === day.slice(0, 7))
      .map((row) => ofMonth(day, row)),
  ];
  const counts = new UnpackedCounts(Number.POSITIVE_INFINITY);
  for (const linkDay of linkDays) counts.addPacked(linkDay.counts);
  const sketches = linkDays.flatMap(({ sketch }) => sketch ?? []);
  const links = [...Map.groupBy(linkDays, ({ linkId }) => linkId)].map(([linkId, own]) => ({
    linkId,
    ...totalsOf(own),
  }));
  return {
    day,
    counts: counts.pack(),
    sketch: sketches.length === 0 ? null : mergeSketches(sketches),
    rolledUpVisitors: linkDays.reduce((sum, { estimate }) => sum + estimate, 0),
    links: links.filter(({ linkId, ...totals }) => Object.values(totals).some((n) => n > 0)),
  };
}

function ofDayRow({ linkId, counts, visitors }: DayRow): LinkDay {
  return { linkId, counts, sketch: visitors, estimate: 0 };
}

function ofMonth(day: string, { linkId, month, counts, visitors }: LinkMonth): LinkDay {
  const dayCounts = new UnpackedCounts(Number.POSITIVE_INFINITY);
  const offset = firstQuarterOf(day) - firstQuarterOf(month);
  for (const [key, series] of Object.entries(counts)) {
    readSeries(series, (slot, count) => {
      const ofDay = slot - offset;
      if (ofDay >= 0 && ofDay < QUARTERS_PER_DAY) dayCounts.add(key, ofDay, count);
    });
  }
  const estimate = visitors[String(Number(day.slice(-2)))] ?? 0;
  return { linkId, counts: dayCounts.pack(), sketch: null, estimate };
}

function totalsOf(linkDays: readonly LinkDay[]): ClickTotals {
  const totals = { ...NO_CLICKS, visitors: 0, opened: 0 };
  for (const { counts } of linkDays) {
    for (const [name, key] of TOTAL_KEYS)
      readSeries(counts[key] ?? "", (_slot, count) => {
        totals[name] += count;
      });
  }
  const estimates = linkDays.map(
    ({ sketch, estimate }) => estimate + (sketch === null ? 0 : estimateVisitors([sketch])),
  );
  const visitors = estimates.reduce((sum, count) => sum + count, 0);
  return { ...totals, visitors: Math.min(visitors, totals.person) };
}
