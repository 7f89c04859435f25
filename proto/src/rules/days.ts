import type { ReportKind } from "./earnings.ts";

/** Days such as 2026-11-21; both are included. */
export interface Days {
  from: string;
  to: string;
}

/** With what a period is compared: as many days before it, the same days of the month before, or of the year before. */
export const COMPARISONS = ["days", "month", "year"] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Days that stored reports of a kind, of an Associates account in a store, have. */
export interface CoveredDays extends Days {
  marketplace: string;
  storeId: string;
  kind: ReportKind;
}

/**
 * The kinds of reports of which a figure is. What is shown per tap divides it by the taps of the days that reports of these kinds have, of
 * the store which opened.
 */
export const KINDS_OF = {
  earnings: ["earnings", "bounties"],
  shipped: ["earnings"],
  ordered: ["orders"],
} as const satisfies Record<string, readonly ReportKind[]>;
export type ReportedFigure = keyof typeof KINDS_OF;

/** The share of pages that opened the app; null if none tried. */
export const openedShare = ({ opened, tried }: Record<"opened" | "tried", number>): number | null =>
  tried === 0 ? null : opened / tried;

const DAY_MS = 86_400_000;

/** The day in UTC. @param time Unix milliseconds */
export const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10);
export const plusDays = (day: string, count: number): string => dayAt(Date.parse(day) + count * DAY_MS);
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
const lastOfMonth = (day: string, months = 0) => {
  const date = new Date(day);
  return dayAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0));
};
const plusMonths = (day: string, months: number) => {
  const last = lastOfMonth(day, months);
  return day.slice(8) > last.slice(8) ? last : last.slice(0, 8) + day.slice(8);
};
export const earlier = (one: string, other: string): string => (one < other ? one : other);

/** The days with which a period is compared. Those of a year before are as many, unless the period has whole months. */
export function daysBefore({ from, to }: Days, comparison: Comparison): Days {
  const length = daysBetween(from, to) + 1;
  if (comparison === "days") return { from: plusDays(from, -length), to: plusDays(from, -1) };
  const month = (day: string) => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7));
  const months = comparison === "year" ? -12 : month(from) - month(to) - 1;
  const start = plusMonths(from, months);
  if (from.endsWith("-01") && to === lastOfMonth(to)) return { from: start, to: lastOfMonth(to, months) };
  return { from: start, to: comparison === "year" ? plusDays(start, length - 1) : plusMonths(to, months) };
}

/**
 * The days of a range that count, and what reports cover of them: until the last day that reports of earnings have, or else those of
 * orders. All days count if no report covers one.
 */
export function countedDays<Part extends CoveredDays>(range: Days, covered: readonly Part[]) {
  const endOf = (kinds: readonly ReportKind[]) =>
    covered
      .flatMap(({ kind, to }) => (kinds.includes(kind) ? to : []))
      .sort()
      .at(-1);
  const to = endOf(KINDS_OF.earnings) ?? endOf(KINDS_OF.ordered) ?? range.to;
  return { to, covered: covered.flatMap((part) => (part.from > to ? [] : { ...part, to: earlier(part.to, to) })) };
}

/**
 * The days before with which what is covered of a period is compared: for each store, account and kind of report the same days, counted
 * from the start. The last day of the period also stands for what `before` has more.
 */
export function comparedDays<Part extends CoveredDays>(period: Days, before: Days, covered: readonly Part[]): Part[] {
  const shift = daysBetween(period.from, before.from);
  return covered.flatMap((part) => {
    const from = plusDays(part.from, shift);
    const to = part.to === period.to ? before.to : earlier(plusDays(part.to, shift), before.to);
    return from > to ? [] : { ...part, from, to };
  });
}

/** The figures that cannot be compared, as reports lack some of the days for them. @param covered what reports have of the days before */
export function incomparable(compared: readonly CoveredDays[], covered: readonly CoveredDays[]): Set<ReportedFigure> {
  const lacks = (days: CoveredDays) =>
    !covered.some(
      ({ marketplace, storeId, kind, from, to }) =>
        marketplace === days.marketplace &&
        storeId === days.storeId &&
        kind === days.kind &&
        from <= days.from &&
        to >= days.to,
    );
  const lacking: readonly ReportKind[] = compared.filter(lacks).map(({ kind }) => kind);
  const figures = Object.keys(KINDS_OF) as ReportedFigure[];
  return new Set(figures.filter((figure) => KINDS_OF[figure].some((kind) => lacking.includes(kind))));
}
