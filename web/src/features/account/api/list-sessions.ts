import { queryOptions } from "@tanstack/react-query";
import type { listSessions as ListSessions } from "@tapthru/proto/http/sessions";
import { callApi } from "../../../lib/http/call-api.ts";

const PATH = "/api/sessions";

/** Always stale, so that each visit to the page refetches it. */
export const sessionsOptions = queryOptions({
  queryKey: [PATH],
  queryFn: ({ signal }) => callApi<typeof ListSessions>("GET", PATH, { signal }),
  staleTime: 0,
});
