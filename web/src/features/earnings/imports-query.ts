import { infiniteQueryOptions } from "@tanstack/react-query";
import { EARNINGS_IMPORTS_PAGE_SIZE } from "@tapthru/proto/rules/limits";
import { callApi } from "../../lib/http/call-api.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";

/** The prefix of the query keys of all figures that are calculated from Amazon's reports. */
export const EARNINGS_KEY = ["/api/earnings"] as const;

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
