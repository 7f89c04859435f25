import { queryOptions } from "@tanstack/react-query";
import type {
  listKeyEvents as ListKeyEvents,
  listKeys as ListKeys,
} from "@tapthru/proto/http/keys";
import { callApi } from "../../../lib/http/call-api.ts";

const path: (typeof ListKeys)["path"] = "/api/keys";
const eventsPath: (typeof ListKeyEvents)["path"] = "/api/keys/events";

/** Always stale: keys may have been used or revoked elsewhere. */
export const keysOptions = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => callApi<typeof ListKeys>("GET", path, { signal }),
  staleTime: 0,
});

export const keyEventsOptions = queryOptions({
  queryKey: [eventsPath],
  queryFn: ({ signal }) => callApi<typeof ListKeyEvents>("GET", eventsPath, { signal }),
  staleTime: 0,
});

/** Of the queries that a created or revoked key changes. */
export const KEY_QUERIES = [keysOptions.queryKey, keyEventsOptions.queryKey];
