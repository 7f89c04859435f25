import { queryOptions } from "@tanstack/react-query";
import { LINKS_RETRIES, LINKS_STALE_MS } from "@tapthru/proto/rules/limits";
import { type CallName, type InputOf, methodAndPath, sendCall } from "./call-api.ts";
import { isRetryable } from "./http-client.ts";

/** Retries failures that may pass. */
const retryUpTo = (count: number) => (failures: number, error: Error) => failures < count && isRetryable(error);

/** Of links. */
export const LINK_QUERY = { staleTime: LINKS_STALE_MS, retry: retryUpTo(LINKS_RETRIES) } as const;

/** Of settings, which another tab may have changed. */
export const SETTINGS_QUERY = {
  staleTime: 0,
  refetchOnWindowFocus: true,
  retry: retryUpTo(1),
} as const;

/** The query of a call without input. Its key is the path. */
export function queryOf<Name extends CallName & `GET ${string}`>(name: Name) {
  const [, path] = methodAndPath(name);
  return queryOptions({
    queryKey: [path],
    queryFn: ({ signal }) => sendCall(name, { signal } as InputOf<Name>),
    ...SETTINGS_QUERY,
  });
}
