import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/http/call-api.ts";

export const appOpeningStatusQuery = queryOptions({
  queryKey: ["/api/status/app-opening"],
  queryFn: ({ signal }) => callApi("GET /api/status/app-opening", { signal }),
});
