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
  comparedWith,
  DEFAULT_PERIOD,
  daysBetween,
  type Period,
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

export interface TableScope extends EarningsScope {
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

interface EarningsScope {
  period: Period;
  /** By default the period before. */
  compared?: Comparison;
}

/** @param channel the id of one; empty: of all */
export function dailyEarningsOptions(scope: EarningsScope, channel = "") {
  const ofChannel = channel === "" ? {} : { channel };
  const query = {
    ...daysOf(scope),
    ...ofChannel,
    by: "day",
    sort: "key",
    limit: String(EARNINGS_PAGE_MAX_SIZE),
  } as const;
  return queryOptions({
    ...REFETCHED,
    queryKey: [...EARNINGS_KEY, "daily", query],
    queryFn: ({ signal }) => callApi("GET /api/earnings", { query, signal }),
  });
}

/** The last 30 days that reports have, compared with the 30 before. */
export const lastEarningsOptions = dailyEarningsOptions({ period: DEFAULT_PERIOD });

/** Each day of a table by day, with its row if reports have one. */
export function dailyRows({ from, to, rows }: Pick<EarningsTable, "from" | "to" | "rows">) {
  const rowOf = new Map(rows.map((row) => [row.key, row]));
  const first = startOfDay(from);
  return Array.from({ length: daysBetween(first, startOfDay(to)) + 1 }, (_, index) => {
    const day = plusDays(first, index);
    return { day, row: rowOf.get(dayOf(day)) };
  });
}

/** The last day of the reports of earnings, or else of others; null without any. */
export const reportedUntilOptions = queryOptions({
  ...lastEarningsOptions,
  select: ({ reportedUntil, to }) => reportedUntil && to,
});

export function linkEarningsOptions(shortCode: string, scope: EarningsScope = { period: DEFAULT_PERIOD }) {
  const query = daysOf(scope);
  return queryOptions({
    ...REFETCHED,
    queryKey: [...EARNINGS_KEY, "link", shortCode, query],
    queryFn: ({ signal }) => callApi("GET /api/links/:shortCode/earnings", { params: { shortCode }, query, signal }),
  });
}

export function earningsFile(scope: TableScope): ApiFile {
  return { path: "/api/earnings", query: tableQuery(scope), name: `earnings-${scope.by}` };
}

const tableQuery = ({ by, sort, ...scope }: TableScope) => ({ ...daysOf(scope), by, sort });

/** Days are dates: Amazon's reports have no time zone. A number of days ends with the reports, and is the same on each page. */
function daysOf({ period, compared = COMPARED_WITH_BEFORE }: EarningsScope) {
  const against = comparedWith(period, compared);
  const { from, to } = periodBounds(period, new Date());
  return period.period.endsWith("d")
    ? ({ to: "reported", days: String(daysBetween(from, to)), ...against } as const)
    : { from: dayOf(from), to: dayOf(plusDays(to, -1)), ...against };
}

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
