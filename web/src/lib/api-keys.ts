import { queryOptions } from "@tanstack/react-query";
import { callApi } from "./http/call-api.ts";

const path = "/api/keys";

/** Always stale: keys may have been used or revoked elsewhere. */
export const keysOptions = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => callApi("GET", path, { signal }),
  staleTime: 0,
});
