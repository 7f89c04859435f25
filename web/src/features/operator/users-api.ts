import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/http/call-api.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";

const path = "/api/operator/users";

export const usersOptions = (q: string) =>
  infiniteQueryOptions({
    queryKey: [path, "all", q],
    queryFn: ({ pageParam, signal }) =>
      callApi(`GET ${path}`, {
        query: { ...(q && { q }), ...(pageParam !== null && { before: String(pageParam) }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextBefore }) => nextBefore,
    placeholderData: keepPreviousData,
    ...SETTINGS_QUERY,
  });

export const userOptions = (id: string) =>
  queryOptions({
    queryKey: [path, "one", id],
    queryFn: ({ signal }) => callApi(`GET ${path}/:id`, { params: { id }, signal }),
    ...SETTINGS_QUERY,
  });
