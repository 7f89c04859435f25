import { findOwnLinkId, summedDays } from "@tapthru/core/clicks/queries";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { EarningsGroup, EarningsOrder, EarningsRow, EarningsTable, LinkEarnings } from "@tapthru/proto/earnings";
import { invalidQuery, linkNotFound } from "@tapthru/proto/general-errors";
import { EARNINGS_CSV_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { ApiError, malformedField } from "../http/errors.ts";
import { findAmazonClicks } from "./amazon-clicks.ts";
import { findAsinsOfLinks } from "./earnings-of-links.ts";
import { findLinkNames } from "./link-names.ts";
import { commonCurrency, findRates, referenceDay } from "./rates.ts";
import { dayAt, findCoveredStores, findReportDays, type OwnDays } from "./reports.ts";
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
  days: OwnDays,
  { by, sort, limit, channel }: TableQuery,
): Promise<EarningsTable> {
  if (channel !== undefined && by !== "day") throw new ApiError(invalidQuery, { message: malformedField("channel") });
  const { db, reports } = deps;
  const range = { from: Date.parse(days.from), to: Date.parse(days.to) + DAY_MS };
  const [covered, rates, taps] = await Promise.all([
    findCoveredStores(db, days),
    findRates(db, days.userId),
    by === "day" && channel === undefined ? { range, areMore: false } : summedDays(reports, days.userId, range),
  ]);
  const currencies = covered.map((store) => store.currency);
  const currency = commonCurrency(rates, currencies);
  const tapDays = { ...days, from: dayAt(taps.range.from) };
  const query = { days, tapDays, sort, channel, currency, rates };
  const [found, [total], reportDays, amazonClicks] = await Promise.all([
    findRows(reports, { ...query, by, limit: limit ?? EARNINGS_CSV_MAX_COUNT }),
    findRows(reports, { ...query, by: "all", limit: 1 }),
    findReportDays(db, days, covered, null),
    by === "channel" ? findAmazonClicks(reports, tapDays) : NO_CLICKS,
  ]);
  const rows = await namedRows(deps, days.userId, found);
  return {
    ...reportDays,
    currency,
    ratesDay: referenceDay(rates, currencies),
    totals: figuresOf(total),
    rows: rows.map((row) => ({ ...row, amazonClicks: amazonClicks.get(row.key) })),
    omittedRowCount: (found[0]?.rowCount ?? 0) - rows.length,
    areMore: taps.areMore,
  };
}

export async function linkEarnings(
  deps: EarningsDependencies,
  days: OwnDays,
  shortCode: string,
): Promise<LinkEarnings> {
  const { db, reports } = deps;
  const { userId } = days;
  const link = await findOwnLinkId(db, { userId, shortCode });
  if (link === null) throw new ApiError(linkNotFound);
  const [asins, all, rates] = await Promise.all([
    findAsinsOfLinks(db, [link.id]),
    findCoveredStores(db, days),
    findRates(db, userId),
  ]);
  const currency = commonCurrency(
    rates,
    all.map((store) => store.currency),
  );
  const of = { id: link.id, asins };
  const query = { days, tapDays: days, by: "link", sort: "earnings", limit: 1_000, link: of, currency, rates } as const;
  const found = await findRows(reports, query);
  const own = found.find(({ match }) => match === "link");
  const others = found.filter(({ match }) => match === "links");
  if (own === undefined) throw new ApiError(linkNotFound);
  const covered = all.filter(({ marketplace }) => own.stores?.includes(marketplace) ?? true);
  return {
    ...(await findReportDays(db, days, covered, own.stores)),
    ratesDay: referenceDay(
      rates,
      covered.map((store) => store.currency),
    ),
    ...figuresOf(own),
    shared: await namedRows(deps, userId, others),
  };
}

const NO_CLICKS: Awaited<ReturnType<typeof findAmazonClicks>> = new Map();

function figuresOf(row: FigureRow | undefined) {
  if (row === undefined) throw new TypeError("The sum of all sales has no row");
  const { key, name, match, links, stores, rowCount, ...figures } = row;
  return figures;
}

/** Names links; rows of links that were deleted are left out. */
async function namedRows(
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
