import { MutationCache, QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import type { ErrorCode } from "@tapthru/proto/errors";
import { httpErrorOf, request } from "./http-client.ts";

const QUERY_DEFAULTS = {
  retry: false,
  refetchOnWindowFocus: false,
  refetchInterval: false,
  staleTime: Number.POSITIVE_INFINITY,
} as const;

/** Requests the URL that is the first element of the query key. Throws on any non-OK response, including 401. */
async function fetchFirstElement({ queryKey, signal }: { queryKey: QueryKey; signal: AbortSignal }) {
  return (await request("GET", String(queryKey[0]), { signal })).body;
}

/** Refusals after which the user is no longer who the page believes. */
const CHANGED_ACCESS = new Set<ErrorCode | null | undefined>(["not-a-member", "role-required"]);

export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (CHANGED_ACCESS.has(httpErrorOf(error)?.code)) void client.invalidateQueries({ queryKey: ["/api/memberships"] });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        queryFn: fetchFirstElement,
        ...QUERY_DEFAULTS,
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  return client;
}
