import { queryOptions } from "@tanstack/react-query";
import type { getAppOpeningStatus } from "@tapthru/proto/http/app-opening-status";
import { callApi } from "../../../lib/http/call-api.ts";

export const appOpeningStatusQuery = queryOptions({
  queryKey: ["/api/status/app-opening"],
  queryFn: ({ signal }) =>
    callApi<typeof getAppOpeningStatus>("GET", "/api/status/app-opening", { signal }),
});
