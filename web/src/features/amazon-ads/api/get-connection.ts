import { queryOptions } from "@tanstack/react-query";
import type { getAmazonAdsConnection as GetConnection } from "@tapthru/proto/http/amazon-ads";
import { callApi } from "../../../lib/http/call-api.ts";

const PATH = "/api/amazon-ads/connection";

/** Always stale, so that each visit to the page refetches it: Amazon may have ended the connection. */
export const connectionOptions = queryOptions({
  queryKey: [PATH],
  queryFn: ({ signal }) => callApi<typeof GetConnection>("GET", PATH, { signal }),
  staleTime: 0,
});
