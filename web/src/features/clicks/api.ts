import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { ClickBreakdown } from "@tapthru/proto/clicks";
import type { ApiFile } from "../../kit/download-button.tsx";
import { browserTimeZone, dayOf, formatDays } from "../../lib/dates.ts";
import { callApi, type InputOf } from "../../lib/http/call-api.ts";
import { LINKS_STALE_MS } from "../../lib/http/query-presets.ts";
import {
  COMPARED_WITH_BEFORE,
  type Comparison,
  comparedBounds,
  daysBetween,
  type Period,
  type PeriodBounds,
  periodBounds,
} from "../../lib/period.ts";

const CLICKS_REFRESH_MS = 10_000;

export interface ClickScope {
  /** Null for all links of the user, or those that are shared. */
  shortCode: string | null;
  /** The secret link that shares the clicks has it. */
  token?: string | undefined;
  period: Period;
  /** By default the period before. */
  compared?: Comparison;
}

/** Counts of a period that is over do not change. */
export const refreshed = ({ period }: Pick<ClickScope, "period">) => {
  const isOver = periodBounds(period, new Date()).to <= new Date();
  return isOver
    ? { staleTime: HOURLY_STALE_MS }
    : { staleTime: CLICKS_REFRESH_MS, refetchInterval: CLICKS_REFRESH_MS, refetchOnWindowFocus: true };
};

export function clicksOptions(scope: ClickScope, by: ClickBreakdown) {
  return queryOptions({
    queryKey: ["/api/clicks", scope, by],
    queryFn: ({ signal }) => fetchClicks(scope, clickQuery(periodBounds(scope.period, new Date()), by), signal),
    placeholderData: keepPreviousData,
    ...refreshed(scope),
  });
}

/** The clicks of the period, with those of the period with which it is compared. */
export function comparedClicksOptions(scope: ClickScope) {
  return queryOptions({
    queryKey: ["/api/clicks", scope],
    queryFn: async ({ signal }) => {
      const now = new Date();
      const bounds = periodBounds(scope.period, now);
      const previous = comparedBounds(scope.period, scope.compared ?? COMPARED_WITH_BEFORE, now);
      const [report, before] = await Promise.all([
        fetchClicks(scope, clickQuery(bounds), signal),
        fetchClicks(scope, clickQuery(previous), signal),
      ]);
      const series = report.series.map((bar, index) => ({ ...bar, before: before.series[index] }));
      const nameBefore = formatDays(dayOf(previous.from), dayOf(new Date(previous.to.getTime() - 1)));
      return { ...report, series, interval: bounds.interval, before: before.totals, nameBefore };
    },
    placeholderData: keepPreviousData,
    staleTime: LINKS_STALE_MS,
  });
}

/** By hour, for at most HOURLY_MAX_DAYS. */
export function hourlyClicksOptions(scope: ClickScope) {
  const { from, to } = periodBounds(scope.period, new Date());
  return queryOptions({
    queryKey: ["/api/clicks", scope, "hours"],
    queryFn: ({ signal }) => fetchClicks(scope, clickQuery({ from, to, interval: "hour" }), signal),
    enabled: daysBetween(from, to) <= HOURLY_MAX_DAYS,
    placeholderData: keepPreviousData,
    staleTime: HOURLY_STALE_MS,
  });
}

const HOURLY_MAX_DAYS = 100;
const HOURLY_STALE_MS = 300_000;

function clickQuery({ from, to, interval }: PeriodBounds, by?: ClickBreakdown) {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    tz: browserTimeZone(),
    interval,
    ...(by !== undefined && { by }),
  };
}

type SharedQuery = InputOf<"POST /api/shared-pages/read">["body"];

function fetchClicks(scope: ClickScope, query: ReturnType<typeof clickQuery>, signal: AbortSignal) {
  const { shortCode, token } = scope;
  if (token !== undefined) {
    // Shared clicks are not shown by link.
    return callApi("POST /api/shared-pages/read", { body: { token, ...query } as SharedQuery, signal });
  }
  if (shortCode === null) return callApi("GET /api/clicks", { query, signal });
  return callApi("GET /api/links/:shortCode/clicks", { params: { shortCode }, query, signal });
}

export function clicksFile({ shortCode, period }: ClickScope, by?: ClickBreakdown): ApiFile {
  return {
    path: shortCode === null ? "/api/clicks" : "/api/links/:shortCode/clicks",
    ...(shortCode !== null && { params: { shortCode } }),
    query: clickQuery(periodBounds(period, new Date()), by),
    name: ["clicks", shortCode ?? "all", by ?? []].flat().join("-"),
  };
}
