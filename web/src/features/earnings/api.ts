import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import type { EarningsRates } from "@tapthru/proto/earnings";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { dayOf } from "../../lib/dates.ts";
import { EARNINGS_KEY } from "../../lib/earnings.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { request } from "../../lib/http/http-client.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";
import { type Period, periodBounds } from "../../lib/period.ts";
import { FAILED_TO_DOWNLOAD_CSV, saveFile } from "../../lib/save-file.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";
import type { EarningsView } from "./use-earnings-view.ts";

/** Another tab may have imported reports. */
const REFETCHED = { ...SETTINGS_QUERY, placeholderData: keepPreviousData };

export function earningsOptions(view: EarningsView) {
  return queryOptions({
    ...REFETCHED,
    queryKey: [...EARNINGS_KEY, "table", view],
    queryFn: async ({ signal }) => ({
      ...(await callApi("GET", "/api/earnings", { query: queryOf(view), signal })),
      // While another group loads, the rows are still those of this one.
      by: view.by,
    }),
  });
}

export function linkEarningsOptions(shortCode: string, period: Period) {
  return queryOptions({
    ...REFETCHED,
    queryKey: [...EARNINGS_KEY, "link", shortCode, period],
    queryFn: ({ signal }) =>
      callApi("GET", "/api/links/:shortCode/earnings", {
        params: { shortCode },
        query: daysOf(period),
        signal,
      }),
  });
}

export const arrivalsOptions = queryOptions({
  ...SETTINGS_QUERY,
  queryKey: [...EARNINGS_KEY, "arrivals"],
  queryFn: ({ signal }) => callApi("GET", "/api/earnings/arrivals", { signal }),
});

export const ratesOptions = queryOptions({
  ...SETTINGS_QUERY,
  queryKey: [...EARNINGS_KEY, "rates"],
  queryFn: ({ signal }) => callApi("GET", "/api/earnings/rates", { signal }),
});

const queryOf = ({ period, by, sort }: EarningsView) => ({ ...daysOf(period), by, sort });

/** Both included. Days are dates: Amazon's reports have no time zone. */
function daysOf(period: Period): { from: string; to: string } {
  const { from, to } = periodBounds(period, new Date());
  return { from: dayOf(from), to: dayOf(new Date(to.getTime() - 1)) };
}

export function useSaveRates(onFailed: () => void) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useSingleMutation<EarningsRates, EarningsRates>({
    mutationFn: (body) => callApi("PUT", "/api/earnings/rates", { body }),
    onSuccess(saved) {
      queryClient.setQueryData(ratesOptions.queryKey, saved);
      toast({ title: "Success", description: "Your rates have been saved." });
    },
    onError: onFailed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: EARNINGS_KEY }),
  });
}

/** Downloads the rows of the table. */
export function useDownloadEarnings(view: EarningsView) {
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      const { body } = await request("GET", "/api/earnings", {
        query: queryOf(view),
        headers: { Accept: "text/csv, application/problem+json" },
      });
      const file = new Blob([String(body)], { type: "text/csv" });
      saveFile(file, `earnings-${view.by}-${dayOf(new Date())}.csv`);
    },
    onError: () => showError(FAILED_TO_DOWNLOAD_CSV),
  });
}
