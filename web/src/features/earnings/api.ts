import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { EARNINGS_GROUPS, EarningsOrder, EarningsTable } from "@tapthru/proto/earnings";
import { EARNINGS_IMPORTS_PAGE_SIZE, EARNINGS_PAGE_MAX_SIZE } from "@tapthru/proto/rules/limits";
import type { ApiFile } from "../../kit/download-button.tsx";
import { dayOf } from "../../lib/dates.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";
import {
  COMPARED_WITH_BEFORE,
  type Comparison,
  comparedBounds,
  daysBetween,
  type Period,
  type PeriodBounds,
  periodBounds,
  plusDays,
  startOfDay,
} from "../../lib/period.ts";

/** The prefix of the query keys of all figures that are calculated from Amazon's reports. */
export const EARNINGS_KEY = ["/api/earnings"] as const;

/** Another tab may have imported reports. */
const REFETCHED = { ...SETTINGS_QUERY, placeholderData: keepPreviousData };

/** Found in all reports, which takes long: they change when reports are stored. */
export const UNTIL_IMPORT = { staleTime: 3_600_000, refetchOnWindowFocus: false } as const;

export interface TableScope {
  period: Period;
  by: (typeof EARNINGS_GROUPS)[number];
  sort: EarningsOrder;
}

export function earningsOptions({ by, ...scope }: TableScope) {
  return queryOptions({
    ...REFETCHED,
    queryKey: [...EARNINGS_KEY, "table", by, scope],
    queryFn: async ({ signal }) => ({
      ...(await callApi("GET /api/earnings", { query: tableQuery({ by, ...scope }), signal })),
      // While another group loads, the rows are still those of this one.
      by,
    }),
  });
}

/** The last 30 days that reports have. */
const REPORTED = { to: "reported" } as const;

export type Days = ReturnType<typeof daysIn> | typeof REPORTED;

/** @param channel the id of one; empty: of all */
export function dailyEarningsOptions(days: Days, channel = "") {
  const ofChannel = channel === "" ? {} : { channel };
  const query = { ...days, ...ofChannel, by: "day", sort: "key", limit: String(EARNINGS_PAGE_MAX_SIZE) } as const;
  return queryOptions({
    ...REFETCHED,
    queryKey: [...EARNINGS_KEY, "daily", days, channel],
    queryFn: ({ signal }) => callApi("GET /api/earnings", { query, signal }),
  });
}

/** The last 30 days that reports have, and the sum of the 30 before. Null: no report has earnings. */
export const comparedEarningsOptions = queryOptions({
  ...REFETCHED,
  queryKey: [...EARNINGS_KEY, "compared"],
  async queryFn({ client, signal }) {
    const daily = await client.fetchQuery(dailyEarningsOptions(REPORTED));
    const { from, to, earningsUntil } = daily;
    if (earningsUntil === null) return { daily, before: null };
    const days = daysBefore({ period: "custom", from, to }, COMPARED_WITH_BEFORE, earningsUntil);
    const { totals } = await callApi("GET /api/earnings", { query: { ...days, by: "day", limit: "1" }, signal });
    return { daily, before: totals };
  },
});

/** Each day of a table by day, with its row if reports have one. */
export function dailyRows({ from, to, rows }: EarningsTable) {
  const rowOf = new Map(rows.map((row) => [row.key, row]));
  const first = startOfDay(from);
  return Array.from({ length: daysBetween(first, startOfDay(to)) + 1 }, (_, index) => {
    const day = plusDays(first, index);
    return { day, row: rowOf.get(dayOf(day)) };
  });
}

/** The last day of the reports of earnings, or else of others; null without any. */
export const reportedUntilOptions = queryOptions({
  ...SETTINGS_QUERY,
  queryKey: [...EARNINGS_KEY, "reported"],
  queryFn: ({ signal }) => callApi("GET /api/earnings", { query: { ...REPORTED, by: "day", limit: "1" }, signal }),
  select: ({ earningsUntil, reportedUntil }) => earningsUntil ?? reportedUntil,
});

export function linkEarningsOptions(shortCode: string, days: Days = REPORTED) {
  return queryOptions({
    ...REFETCHED,
    queryKey: [...EARNINGS_KEY, "link", shortCode, days],
    queryFn: ({ signal }) =>
      callApi("GET /api/links/:shortCode/earnings", { params: { shortCode }, query: days, signal }),
  });
}

export function earningsFile(scope: TableScope): ApiFile {
  return { path: "/api/earnings", query: tableQuery(scope), name: `earnings-${scope.by}` };
}

const tableQuery = ({ period, by, sort }: TableScope) => ({ ...daysOf(period), by, sort });

/** Both included. Days are dates: Amazon's reports have no time zone. */
const daysIn = ({ from, to }: PeriodBounds) => ({ from: dayOf(from), to: dayOf(new Date(to.getTime() - 1)) });

export const daysOf = (period: Period) => daysIn(periodBounds(period, new Date()));

/** The days with which a period is compared, as many as reports have of it. @param until the last day of all reports */
export const daysBefore = (period: Period, compared: Comparison, until: string) =>
  daysIn(comparedBounds(period, compared, new Date(), plusDays(startOfDay(until), 1)));

const importsPath = "/api/earnings/imports";

export const earningsImportsOptions = infiniteQueryOptions({
  ...SETTINGS_QUERY,
  queryKey: [importsPath],
  queryFn: ({ pageParam: after, signal }) =>
    callApi(`GET ${importsPath}`, { query: after === null ? {} : { after }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => (page.length < EARNINGS_IMPORTS_PAGE_SIZE ? null : (page.at(-1)?.id ?? null)),
  select: ({ pages }) => pages.flat(),
});
