import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useQueryClient,
} from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { LINKS_PAGE_DEFAULT_SIZE } from "@tapthru/proto/rules/limits";
import { useEffect, useEffectEvent } from "react";
import { browserTimeZone } from "../../../lib/dates.ts";
import { callApiForReply } from "../../../lib/http/call-api.ts";
import { HttpError } from "../../../lib/http/http-client.ts";
import { LINK_QUERY, queryOf } from "../../../lib/http/query-presets.ts";
import { listLinkIds, readNext } from "../../../lib/link-ids.ts";
import { LINK_LISTS_KEY } from "../../../lib/link-lists.ts";
import { conditionsOf, type ListView } from "./use-list-view.ts";

/** A longer list renders only the cards in view. */
export const LINKS_RENDERED_MAX_COUNT = 200;
/** The first page is small, to load fast. Together with the second it is as long as a list that is rendered whole. */
const NEXT_PAGE_SIZE = LINKS_RENDERED_MAX_COUNT - LINKS_PAGE_DEFAULT_SIZE;

/** All pages of a list are loaded again one after another, so a longer list that is shown again keeps what it has. */
const REFETCHED_PAGES_MAX_COUNT = 4;

export interface LinkPage {
  links: Link[];
  /** Where the next page begins. Null on the last page. */
  nextCursor: string | null;
  /** When a link was changed that may be on this page. */
  staleSince?: number;
}

export function linkListOptions(view: ListView) {
  return infiniteQueryOptions({
    queryKey: [...LINK_LISTS_KEY, view],
    queryFn: ({ pageParam, signal }) => listLinks(view, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: LinkPage) => nextCursor,
    placeholderData: keepPreviousData,
    ...LINK_QUERY,
    refetchOnMount: ({ state }) => (state.data?.pages.length ?? 0) <= REFETCHED_PAGES_MAX_COUNT,
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

/**
 * Loads stale pages again that are in view or have lost all links, one after another. One that cannot be loaded waits for the next
 * change or visit.
 */
export function useFreshPages(
  view: ListView,
  list: InfiniteData<LinkPage> | undefined,
  idsInView: ReadonlySet<number>,
) {
  const queryClient = useQueryClient();
  const isShown = (links: readonly Link[]) => links.length === 0 || links.some(({ id }) => idsInView.has(id));
  const stale = list?.pages.find(({ staleSince, links }) => staleSince && isShown(links));
  const load = useEffectEvent(async (page: LinkPage, signal: AbortSignal) => {
    const { queryKey } = linkListOptions(view);
    const fresh = await listLinks(view, list?.pageParams[list.pages.indexOf(page)] as string | null, signal);
    queryClient.setQueryData(
      queryKey,
      (latest) => latest && { ...latest, pages: latest.pages.map((each) => (each === page ? fresh : each)) },
    );
  });
  useEffect(() => {
    if (stale === undefined) return;
    const abort = new AbortController();
    load(stale, abort.signal).catch(() => undefined);
    return () => abort.abort();
  }, [stale]);
}

/** How many links match the view; at most, if there are more. */
export const linkCountOptions = (view: ListView) => queryOf("GET /api/link-count", { query: conditionsOf(view) });

export const linkIdsOptions = (view: ListView) =>
  queryOptions({
    queryKey: ["/api/link-ids", conditionsOf(view)],
    queryFn: () => listLinkIds(conditionsOf(view)),
    staleTime: 0,
    gcTime: 0,
  });

export const linkStoresOptions = queryOf("GET /api/links/stores");
