import { queryOptions } from "@tanstack/react-query";
import type { listSessions as ListSessions } from "@tapthru/proto/http/sessions";
import { callApi } from "../../../lib/call-api.ts";

const PATH = "/api/sessions";

/** Asked for again whenever the page opens. */
export const sessionsOptions = queryOptions({
  queryKey: [PATH],
  queryFn: ({ signal }) => callApi<typeof ListSessions>("GET", PATH, { signal }),
  staleTime: 0,
});
