import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { ClickBreakdown } from "@tapthru/proto/clicks";
import type { ApiFile } from "../../kit/download-button.tsx";
import { browserTimeZone } from "../../lib/dates.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { LINKS_STALE_MS } from "../../lib/http/query-presets.ts";
import { daysBetween, type Period, type PeriodBounds, periodBounds, previousPeriodBounds } from "../../lib/period.ts";

const CLICKS_REFRESH_MS = 10_000;

export interface ClickScope {
  /** Null for all links of the user. */
  shortCode: string | null;
  period: Period;
}

export const REFRESHED = {
  staleTime: CLICKS_REFRESH_MS,
  refetchInterval: CLICKS_REFRESH_MS,
  refetchOnWindowFocus: true,
} as const;

export function clicksOptions({ shortCode, period }: ClickScope, by: ClickBreakdown) {
  return queryOptions({
    queryKey: ["/api/clicks", shortCode, period, by],
    queryFn: ({ signal }) => fetchClicks(shortCode, clickQuery(periodBounds(period, new Date()), by), signal),
    placeholderData: keepPreviousData,
    ...REFRESHED,
  });
}

/** The clicks of the period, with those of the preceding one until the same moment. */
export function comparedClicksOptions({ shortCode, period }: ClickScope) {
  return queryOptions({
    queryKey: ["/api/clicks", shortCode, period],
    queryFn: async ({ signal }) => {
      const now = new Date();
      const bounds = periodBounds(period, now);
      const previous = previousPeriodBounds(period, now);
      const [report, before] = await Promise.all([
        fetchClicks(shortCode, clickQuery(bounds), signal),
        fetchClicks(shortCode, clickQuery(previous), signal),
      ]);
      const series = report.series.map((bar, index) => ({ ...bar, before: before.series[index] ?? null }));
      return { ...report, series, interval: bounds.interval, before: before.totals };
    },
    placeholderData: keepPreviousData,
    staleTime: LINKS_STALE_MS,
  });
}

/** By hour, for at most HOURLY_MAX_DAYS. */
export function hourlyClicksOptions({ shortCode, period }: ClickScope) {
  const { from, to } = periodBounds(period, new Date());
  return queryOptions({
    queryKey: ["/api/clicks", shortCode, period, "hours"],
    queryFn: ({ signal }) => fetchClicks(shortCode, clickQuery({ from, to, interval: "hour" }), signal),
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

function fetchClicks(shortCode: string | null, query: ReturnType<typeof clickQuery>, signal: AbortSignal) {
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
