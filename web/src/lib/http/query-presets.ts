import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type CallName, callApi, type InputOf, methodAndPath, type ReplyTo } from "./call-api.ts";
import { httpErrorOf, isRetryable } from "./http-client.ts";

const LINKS_RETRIES = 3;
export const LINKS_STALE_MS = 60_000;

const retryUpTo = (count: number) => (failures: number, error: Error) => failures < count && isRetryable(error);

export const LINK_QUERY = { staleTime: LINKS_STALE_MS, retry: retryUpTo(LINKS_RETRIES) } as const;

/** For settings, which another tab may have changed. */
export const SETTINGS_QUERY = {
  staleTime: 0,
  refetchOnWindowFocus: true,
  retry: retryUpTo(1),
} as const;

/** The query of a call. Its key is the path, with the input if there is one. */
export function queryOf<Name extends CallName & `GET ${string}`>(name: Name, input?: InputOf<Name>) {
  const [, path] = methodAndPath(name);
  return queryOptions({
    queryKey: input === undefined ? [path] : [path, input],
    queryFn: ({ signal }) => callApi(name, { ...input, signal } as InputOf<Name>),
    ...SETTINGS_QUERY,
  });
}

type PagedName = {
  [Name in CallName]: ReplyTo<Name> extends { nextBefore: number | null } ? Name : never;
}[CallName];

/** As queryOf, for a call whose replies say where the next page begins. */
export function pagesOf<Name extends PagedName>(name: Name, query: Record<string, string>) {
  const [, path] = methodAndPath(name);
  return infiniteQueryOptions({
    queryKey: [path, query],
    queryFn: ({ pageParam, signal }): Promise<ReplyTo<Name>> => {
      const before = pageParam === null ? {} : { before: String(pageParam) };
      return callApi(name, { query: { ...query, ...before }, signal } as InputOf<Name>);
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page as { nextBefore: number | null }).nextBefore,
    placeholderData: keepPreviousData,
    ...SETTINGS_QUERY,
  });
}

const POLL_MIN_MS = 1_000;
const POLL_MAX_MS = 5_000;
const POLL_AFTER_FAILURE_MS = 10_000;

/**
 * How long to wait before progress is requested again: a tenth of the time since the start, and longer after a failure.
 * @param since when the work was started, in ISO format
 */
export function pollDelay(since: string, error: Error | null): number {
  const age = Date.now() - Date.parse(since);
  const usual = error === null ? Math.max(POLL_MIN_MS, Math.min(POLL_MAX_MS, age / 10)) : POLL_AFTER_FAILURE_MS;
  const retryAfterSeconds = error && httpErrorOf(error)?.retryAfterSeconds;
  return Math.max(usual, (retryAfterSeconds ?? 0) * 1_000);
}
