import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { listAllActivity } from "@tapthru/proto/operator/activity";
import type * as z from "zod/mini";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { dayOf } from "../../lib/dates.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { request } from "../../lib/http/http-client.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";
import { FAILED_TO_DOWNLOAD_CSV, saveFile } from "../../lib/save-file.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

const PATH = "/api/activity";
const OPERATOR_PATH = "/api/operator/activity";

type Query = z.input<typeof listAllActivity.query>;
export type ActivityFilters = {
  [Name in Exclude<keyof Query, "before">]?: NonNullable<Query[Name]>;
};

/** Pages follow each other; new rows appear when the list is opened again. */
const PAGES = {
  ...SETTINGS_QUERY,
  refetchOnWindowFocus: false,
  initialPageParam: null as number | null,
  getNextPageParam: ({ nextBefore }: { nextBefore: number | null }) => nextBefore,
};

const pageQuery = (before: number | null) => (before === null ? {} : { before: String(before) });

/** @param link a short code; undefined: all of the user */
export function activityOptions(link?: string) {
  return infiniteQueryOptions({
    ...PAGES,
    queryKey: [PATH, link],
    queryFn: ({ pageParam, signal }) =>
      callApi("GET", PATH, {
        query: { ...(link !== undefined && { link }), ...pageQuery(pageParam) },
        signal,
      }),
  });
}

export function allActivityOptions(filters: ActivityFilters) {
  return infiniteQueryOptions({
    ...PAGES,
    queryKey: [OPERATOR_PATH, filters],
    queryFn: ({ pageParam, signal }) =>
      callApi("GET", OPERATOR_PATH, { query: { ...filters, ...pageQuery(pageParam) }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Long enough for 100,000 rows. */
const DOWNLOAD_TIMEOUT_MS = 300_000;

/** Downloads the activity as CSV, without pages. @param filters null: of the user */
export function useDownloadActivity(filters: ActivityFilters | null) {
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      const { body } = await request("GET", filters ? OPERATOR_PATH : PATH, {
        query: filters ?? {},
        headers: { Accept: "text/csv, application/problem+json" },
        timeoutMs: DOWNLOAD_TIMEOUT_MS,
      });
      // The browser removed the byte order mark, which spreadsheets need.
      const file = new Blob(["\uFEFF", String(body)], { type: "text/csv" });
      saveFile(file, `activity-${dayOf(new Date())}.csv`);
    },
    onError: () => showError(FAILED_TO_DOWNLOAD_CSV),
  });
}
