import { MutationCache, QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { QUERY_DEFAULTS } from "@tapthru/proto/rules/limits";
import { httpErrorOf, request } from "./http-client.ts";

const MEMBERSHIPS = "/api/memberships";

/** Requests the URL that is the first element of the query key. Throws on any non-OK response, including 401. */
async function fetchFirstElement({ queryKey, signal }: { queryKey: QueryKey; signal: AbortSignal }) {
  return (await request("GET", String(queryKey[0]), { signal })).body;
}

export function createQueryClient(): QueryClient {
  /** The membership in the chosen account has ended: the page says so once the memberships are loaded again. */
  function onError(error: Error) {
    if (httpErrorOf(error)?.code === "not-a-member") void queryClient.invalidateQueries({ queryKey: [MEMBERSHIPS] });
  }
  const queryClient = new QueryClient({
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
  return queryClient;
}
