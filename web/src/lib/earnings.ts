import { queryOptions } from "@tanstack/react-query";
import { callApi } from "./http/call-api.ts";
import { SETTINGS_QUERY } from "./http/query-presets.ts";

/** The prefix of the query keys of all figures that are calculated from Amazon's reports. */
export const EARNINGS_KEY = ["/api/earnings"] as const;

const importsPath = "/api/earnings/imports";

/** The user's imports of Amazon's reports, newest first. */
export const earningsImportsOptions = queryOptions({
  ...SETTINGS_QUERY,
  queryKey: [importsPath],
  queryFn: ({ signal }) => callApi("GET", importsPath, { signal }),
});
