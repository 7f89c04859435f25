import { QueryClient, type QueryKey } from "@tanstack/react-query";
import { QUERY_DEFAULTS } from "@tapthru/proto/rules/limits";
import { request } from "./http-client.ts";

/** Requests the URL that is the first element of the query key. Throws on any non-OK response, including 401. */
async function fetchFirstElement({ queryKey, signal }: { queryKey: QueryKey; signal: AbortSignal }) {
  return (await request("GET", String(queryKey[0]), { signal })).body;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: fetchFirstElement,
        ...QUERY_DEFAULTS,
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
