import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { Link, listLinks as ListLinks } from "@tapthru/proto/http/links";
import {
  LINKS_PAGE_DEFAULT_SIZE,
  LINKS_PAGE_MAX_SIZE,
  LINKS_RETRIES,
  LINKS_STALE_MS,
} from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { callApi } from "../../../lib/http/call-api.ts";
import { HttpError, isRetryable } from "../../../lib/http/http-client.ts";
import { LINK_LISTS_KEY } from "../../../lib/link-lists.ts";

export interface LinkPage {
  links: Link[];
  /** Where the next page begins. Null on the last page. */
  nextCursor: number | null;
}

/** @param search the search text. Empty for all links. */
export function linkListOptions(search: string) {
  return infiniteQueryOptions({
    queryKey: [...LINK_LISTS_KEY, search],
    queryFn: ({ pageParam, signal }) => listLinks({ search, cursor: pageParam, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextCursor }: LinkPage) => nextCursor,
    placeholderData: keepPreviousData,
    staleTime: LINKS_STALE_MS,
    retry: (failures, error) => failures < LINKS_RETRIES && isRetryable(error),
  });
}

interface PageRequest {
  search: string;
  cursor: number | null;
  signal: AbortSignal;
}

/** Fetches one page. The first page is small, to load fast. The others are large, to need fewer requests. */
async function listLinks({ search, cursor, signal }: PageRequest): Promise<LinkPage> {
  const limit = cursor === null ? LINKS_PAGE_DEFAULT_SIZE : LINKS_PAGE_MAX_SIZE;
  const query = {
    limit: String(limit),
    ...(cursor !== null && { cursor: String(cursor) }),
    ...(search && { q: search }),
  };
  try {
    const links = await callApi<typeof ListLinks>("GET", "/api/links", { query, signal });
    return { links, nextCursor: links.length < limit ? null : (links.at(-1)?.id ?? null) };
  } catch (cause) {
    if (!(cause instanceof HttpError)) throw cause;
    throw new Error(messages.networkResponseNotOk(cause.status, cause.text), { cause });
  }
}
