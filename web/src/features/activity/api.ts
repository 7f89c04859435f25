import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { listAllActivity } from "@tapthru/proto/operator/activity";
import type * as z from "zod/mini";
import type { ApiFile } from "../../kit/download-button.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";

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
      callApi(`GET ${PATH}`, {
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
      callApi(`GET ${OPERATOR_PATH}`, { query: { ...filters, ...pageQuery(pageParam) }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** All rows, without pages. @param filters null: of the user */
export const activityFile = (filters: ActivityFilters | null): ApiFile => ({
  path: filters ? OPERATOR_PATH : PATH,
  query: filters ?? {},
  name: "activity",
});
