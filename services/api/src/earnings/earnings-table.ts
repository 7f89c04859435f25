import { summedDays } from "@tapthru/core/clicks/queries";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { EarningsGroup, EarningsOrder, EarningsRow, EarningsTable } from "@tapthru/proto/earnings";
import { invalidQuery } from "@tapthru/proto/general-errors";
import { dayAt, incomparable, type ReportedFigure } from "@tapthru/proto/rules/days";
import { EARNINGS_CSV_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { ApiError, malformedField } from "../http/errors.ts";
import { findAmazonClicks } from "./amazon-clicks.ts";
import { findLinkNames } from "./link-names.ts";
import { commonCurrency, findRates, referenceDay } from "./rates.ts";
import { findReportDays, type Period } from "./reports.ts";
import { type FigureRow, findRows } from "./rows.ts";
export interface EarningsDependencies {
  db: Db<"any" | "maybeOne" | "oneFirst">;
  /** For what adds up all sales of a user. */
  reports: Db<"any">;
  publicBaseUrl: string;
}

const DAY_MS = 86_400_000;

interface TableQuery {
  by: EarningsGroup;
  sort: EarningsOrder;
  /** The number of rows; null for as many as a CSV may have. */
  limit: number | null;
  /** By day: the figures of this channel alone. */
  channel?: number | undefined;
}

export async function earningsTable(
  deps: EarningsDependencies,
  period: Period,
  { by, sort, limit, channel }: TableQuery,
): Promise<EarningsTable> {
  if (channel !== undefined && by !== "day") throw new ApiError(invalidQuery, { message: malformedField("channel") });
  const { days, covered, before } = period;
  const rates = await findRates(deps.db, days.userId);
  const currencies = covered.map((part) => part.currency);
  const currency = commonCurrency(rates, currencies);
  const query = { sort, channel, currency, rates, limit: limit ?? EARNINGS_CSV_MAX_COUNT };
  const [table, compared, reportDays] = await Promise.all([
    figuresOn(deps, { ...query, days, covered }, by),
    before && figuresOn(deps, { ...query, days: before.days, covered: before.days.only }, by === "day" ? by : null),
    findReportDays(deps.db, period, null),
  ]);
  const tracked = { ...table.tapDays, to: period.end };
  const amazonClicks = by === "channel" ? await findAmazonClicks(deps.reports, tracked) : NO_CLICKS;
  const rows = await namedRows(deps, days.userId, table.rows);
  return {
    ...reportDays,
    currency,
    ratesDay: referenceDay(rates, currencies),
    totals: table.totals,
    rows: rows.map((row) => ({ ...row, amazonClicks: amazonClicks.get(row.key) })),
    ...(before && compared && { before: await comparison(deps, before, compared) }),
    omittedRowCount: (table.rows[0]?.rowCount ?? 0) - rows.length,
    areMore: table.areMore,
  };
}

type FiguresQuery = Omit<Parameters<typeof findRows>[1], "by" | "tapDays">;

/** @param by null: only the totals */
async function figuresOn({ reports }: EarningsDependencies, query: FiguresQuery, by: EarningsGroup | null) {
  const { days } = query;
  const range = { from: Date.parse(days.from), to: Date.parse(days.to) + DAY_MS };
  const { range: summed, areMore } = await summedDays(reports, days.userId, range);
  const tapDays = { ...days, from: dayAt(summed.from) };
  const [rows, [total]] = await Promise.all([
    by === null ? [] : findRows(reports, { ...query, tapDays, by }),
    findRows(reports, { ...query, tapDays, by: "all", limit: 1 }),
  ]);
  return { rows, totals: figuresOf(total), tapDays, areMore };
}

async function comparison(
  deps: EarningsDependencies,
  { days, covered }: NonNullable<Period["before"]>,
  { rows, totals }: Pick<Awaited<ReturnType<typeof figuresOn>>, "rows" | "totals">,
): Promise<EarningsTable["before"]> {
  const { userId, from, to, only } = days;
  const lacking = incomparable(only, covered);
  const named = await namedRows(deps, userId, rows);
  return { from, to, totals: without(lacking, totals), rows: named.map((row) => without(lacking, row)) };
}

/** Figures of which some are not known. */
export function without<Row extends EarningsTable["totals"]>(lacking: ReadonlySet<ReportedFigure>, row: Row): Row {
  const isKnown = (figure: ReportedFigure) => !lacking.has(figure);
  const unknown = {
    ...(!isKnown("earnings") && { earnings: null }),
    ...(!isKnown("shipped") && { shipped: null, returned: null }),
    ...(!isKnown("ordered") && { ordered: null }),
  };
  return {
    ...row,
    ...unknown,
    ...(!isKnown("earnings") && { earningsPerClick: null }),
    ...(!isKnown("ordered") && { conversion: null }),
    sums: row.sums.map((sum) => ({ ...sum, ...unknown, ...(!isKnown("shipped") && { revenue: null }) })),
  };
}

const NO_CLICKS: Awaited<ReturnType<typeof findAmazonClicks>> = new Map();

export function figuresOf(row: FigureRow | undefined) {
  if (row === undefined) throw new TypeError("The sum of all sales has no row");
  const { key, name, match, links, stores, rowCount, ...figures } = row;
  return figures;
}

/** Names links; rows of links that were deleted are left out. */
export async function namedRows(
  deps: Pick<EarningsDependencies, "db" | "publicBaseUrl">,
  userId: number,
  rows: readonly FigureRow[],
): Promise<EarningsRow[]> {
  const ids = [...new Set(rows.flatMap(({ links }) => links ?? []))];
  const named = ids.length === 0 ? [] : await findLinkNames(deps, userId, ids);
  const known = new Map(named.map(({ id, shortCode, name }) => [id, { shortCode, name }]));
  return rows.flatMap(({ stores, rowCount, ...row }) => {
    const links = row.links?.flatMap((id) => known.get(id) ?? []) ?? [];
    if (row.match !== "link") return { ...row, links };
    const [link] = links;
    return link === undefined ? [] : { ...row, key: link.shortCode, name: link.name, links: [] };
  });
}
