import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { fractionDigits } from "@tapthru/proto/rules/money";
import { commonCurrencies } from "./currencies.ts";
import { AMOUNT_UNITS } from "./numbers.ts";
import type { Dating, Period } from "./period.ts";
import type { ReadReport } from "./read-file.ts";
import { type Refusal, ReportRefusal } from "./refusal.ts";
import type { ReportRow, Sums } from "./report-reader.ts";

export interface StoredRow extends Omit<ReportRow, "date"> {
  day: string;
}

/** A report whose period is known, with amounts in the smallest unit of its currency. */
export interface SettledReport extends Omit<ReadReport, "datings" | "tags" | "unclear" | "fraction"> {
  period: Period;
  currency: string;
  unmatchedRowCount: number;
  /** The first amount that cannot be one of the currency with certainty. */
  unclear: Refusal | null;
  storedRow(row: ReportRow): StoredRow;
}

export function settleReport(
  { datings: _, tags, unclear, fraction, ...report }: ReadReport,
  { rows, period }: Dating,
  { currency, has }: { currency: string; has(tag: string): boolean },
): SettledReport {
  const unit = AMOUNT_UNITS / 10 ** fractionDigits(currency);
  const inUnits = <Row extends Sums>(row: Row): Row => ({
    ...row,
    earnings: row.earnings && row.earnings / unit,
    revenue: row.revenue && row.revenue / unit,
  });
  return {
    ...report,
    period,
    currency,
    unmatchedRowCount: [...tags].reduce((sum, [tag, count]) => (tag === "" || has(tag) ? sum : sum + count), 0),
    sums: inUnits(report.sums),
    unclear: unit === 1 ? unclear : fraction,
    storedRow: ({ date, ...row }) => ({ ...inUnits(row), day: date?.[rows ?? "day-first"] ?? period.firstDay }),
  };
}

export function possibleStores(reports: readonly Pick<ReadReport, "currencies">[]): Marketplace[] {
  const named = commonCurrencies(reports.map(({ currencies }) => currencies));
  return (Object.keys(MARKETPLACES) as Marketplace[]).filter(
    (store) => named === null || named.includes(MARKETPLACES[store].currency),
  );
}

/** The only one of the stores, or the only one in which the user has some of the tracking ids; else null. */
export function chooseStore(
  stores: readonly Marketplace[],
  tags: readonly string[],
  has: (store: string, tag: string) => boolean,
): Marketplace | null {
  const chosen = stores.length === 1 ? stores : stores.filter((store) => tags.some((tag) => has(store, tag)));
  return chosen.length === 1 ? (chosen[0] ?? null) : null;
}

export function findRefusal(reports: readonly SettledReport[]): Refusal | null {
  for (const [index, report] of reports.entries()) {
    const { fileName, kind, period, currency, currencies, headingLine, headingText, unclear } = report;
    if (unclear !== null) return { ...unclear, fileName };
    if (currencies !== null && !currencies.includes(currency)) {
      return new ReportRefusal("wrong-currency", headingLine, headingText, fileName).refusal;
    }
    const hasCommonDays = (other: Period) => other.firstDay <= period.lastDay && period.firstDay <= other.lastDay;
    const earlier = reports.slice(0, index).find((other) => other.kind === kind && hasCommonDays(other.period));
    // One of them would replace the other unseen.
    if (earlier !== undefined) return new ReportRefusal("repeated-days", null, earlier.fileName, fileName).refusal;
  }
  return null;
}
