import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/http/call-api.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";

/** The stores that OneLink serves, as the user said. */
export const oneLinkStoresOptions = queryOptions({
  ...SETTINGS_QUERY,
  queryKey: ["/api/onelink-stores"],
  queryFn: ({ signal }) => callApi("GET /api/onelink-stores", { signal }),
});
