import { queryOptions } from "@tanstack/react-query";
import type { getAmazonAdsConnection as GetConnection } from "@tapthru/proto/http/amazon-ads";
import { callApi } from "../../../lib/call-api.ts";

const PATH = "/api/amazon-ads/connection";

/** Asked for again whenever the page opens: Amazon may have ended it meanwhile. */
export const connectionOptions = queryOptions({
  queryKey: [PATH],
  queryFn: ({ signal }) => callApi<typeof GetConnection>("GET", PATH, { signal }),
  staleTime: 0,
});
