import { queryOptions } from "@tanstack/react-query";
import { callApi } from "./http/call-api.ts";
import { LINK_QUERY } from "./http/query-presets.ts";

const path = "/api/pool-tags";

/** The tracking ids of which each is for one link, by store, free ones first. */
export const poolTagsOptions = queryOptions({
  ...LINK_QUERY,
  queryKey: [path],
  queryFn: ({ signal }) => callApi("GET", path, { signal }),
});
