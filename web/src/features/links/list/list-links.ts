import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { LINKS_PAGE_DEFAULT_SIZE } from "@tapthru/proto/rules/limits";
import { browserTimeZone } from "../../../lib/dates.ts";
import { callApiForReply } from "../../../lib/http/call-api.ts";
import { HttpError } from "../../../lib/http/http-client.ts";
import { LINK_QUERY, queryOf } from "../../../lib/http/query-presets.ts";
import { readNext } from "../../../lib/link-ids.ts";
import { LINK_LISTS_KEY } from "../../../lib/link-lists.ts";
import { conditionsOf, type ListView } from "./use-list-view.ts";

/** So many load without scrolling. */
export const LINKS_UNASKED_MAX_COUNT = 200;
/** The first page is small, to load fast. */
const NEXT_PAGE_SIZE = LINKS_UNASKED_MAX_COUNT - LINKS_PAGE_DEFAULT_SIZE;

export interface LinkPage {
  links: Link[];
  /** Where the next page begins. Null on the last page. */
  nextCursor: string | null;
}

export function linkListOptions(view: ListView) {
  return infiniteQueryOptions({
    queryKey: [...LINK_LISTS_KEY, view],
    queryFn: ({ pageParam, signal }) => listLinks(view, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: LinkPage) => nextCursor,
    placeholderData: keepPreviousData,
    ...LINK_QUERY,
    refetchOnReconnect: ({ state }) => state.data === undefined,
    retry: (failures, error) => LINK_QUERY.retry(failures, error) && navigator.onLine,
  });
}

async function listLinks(view: ListView, cursor: string | null, signal: AbortSignal): Promise<LinkPage> {
  const query = {
    limit: String(cursor === null ? LINKS_PAGE_DEFAULT_SIZE : NEXT_PAGE_SIZE),
    ...(cursor !== null && { cursor }),
    ...conditionsOf(view),
    ...(view.sort !== "newest" && { sort: view.sort }),
    ...((view.sort === "clicks" || view.sort === "last-tap") && { tz: browserTimeZone() }),
  };
  try {
    const { headers, body: links } = await callApiForReply("GET /api/links", {
      query,
      signal,
    });
    const nextCursor = readNext(headers, "cursor");
    // The api looks at a part of many links at once.
    if (links.length === 0 && nextCursor !== null) {
      return listLinks(view, nextCursor, signal);
    }
    return { links, nextCursor };
  } catch (cause) {
    if (!(cause instanceof HttpError)) throw cause;
    throw new Error(`Network response was not ok: ${cause.status} ${cause.text}`, { cause });
  }
}

/** How many links match the view; at most, if there are more. */
export const linkCountOptions = (view: ListView) => queryOf("GET /api/link-count", { query: conditionsOf(view) });

export const linkStoresOptions = queryOf("GET /api/links/stores");
