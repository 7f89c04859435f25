import { queryOptions } from "@tanstack/react-query";
import { LINKS_STALE_MS } from "@tapthru/proto/rules/limits";
import { callApi } from "./http/call-api.ts";

const path = "/api/pool-tags";

/** The tracking ids of which each is for one link, by store, free ones first. */
export const poolTagsOptions = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => callApi("GET", path, { signal }),
  staleTime: LINKS_STALE_MS,
});
