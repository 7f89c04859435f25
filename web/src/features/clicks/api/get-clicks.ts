import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  ClickBreakdown,
  getClicks as GetClicks,
  getLinkClicks as GetLinkClicks,
} from "@tapthru/proto/http/clicks";
import { CLICKS_REFRESH_MS } from "@tapthru/proto/rules/limits";
import { callApi } from "../../../lib/http/call-api.ts";
import {
  type ClickPeriod,
  type PeriodBounds,
  periodBounds,
  previousPeriodBounds,
} from "../click-period.ts";

/** Which clicks are counted. */
export interface ClickScope {
  /** Null for all links of the user. */
  shortCode: string | null;
  period: ClickPeriod;
}

/** Refetches every ten seconds while the page is visible. */
export function clicksOptions({ shortCode, period }: ClickScope, by?: ClickBreakdown) {
  return queryOptions({
    queryKey: ["/api/clicks", shortCode, period, by],
    queryFn: async ({ signal }) => {
      const bounds = periodBounds(period, new Date());
      const report = await fetchClicks(shortCode, clickQuery(bounds, by), signal);
      return { ...report, interval: bounds.interval };
    },
    staleTime: CLICKS_REFRESH_MS,
    refetchInterval: CLICKS_REFRESH_MS,
    refetchOnWindowFocus: true,
    placeholderData: keepPreviousData,
  });
}

/** The clicks of the preceding period. */
export function previousClicksOptions({ shortCode, period }: ClickScope) {
  return queryOptions({
    queryKey: ["/api/clicks", shortCode, period, "before"],
    queryFn: ({ signal }) =>
      fetchClicks(shortCode, clickQuery(previousPeriodBounds(period, new Date())), signal),
  });
}

export function clickQuery({ from, to, interval }: PeriodBounds, by?: ClickBreakdown) {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    interval,
    ...(by !== undefined && { by }),
  };
}

function fetchClicks(
  shortCode: string | null,
  query: ReturnType<typeof clickQuery>,
  signal: AbortSignal,
) {
  if (shortCode === null) {
    return callApi<typeof GetClicks>("GET", "/api/clicks", { query, signal });
  }
  const params = { shortCode };
  return callApi<typeof GetLinkClicks>("GET", "/api/links/:shortCode/clicks", {
    params,
    query,
    signal,
  });
}
