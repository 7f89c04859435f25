import { type InfiniteData, type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { useMemo } from "react";
import { callApi } from "../../lib/http/call-api.ts";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { LINK_QUERY } from "../../lib/http/query-presets.ts";
import { LINK_LISTS_KEY } from "../../lib/link-lists.ts";
import type { LinkPage } from "./list/list-links.ts";
import type { SelectedLink } from "./list/use-selection.ts";

const DETAIL_POLL_MAX_UPDATES = 3;
const DETAIL_POLL_INTERVAL_MS = 2_000;
/** The first element of the query keys of each link: its details, its history and its routing. */
const LINK_KEY = "/api/links/:shortCode";

export function linkOptions(shortCode: string) {
  return queryOptions({
    ...LINK_QUERY,
    queryKey: [LINK_KEY, shortCode],
    queryFn: ({ signal }) => getLink(shortCode, signal),
  });
}

/** A link for its page, which refetches it a few times at each visit until the worker has fetched title and image. */
export function useLink(shortCode: string) {
  const visit = useMemo(() => ({ shortCode, refetches: 0 }), [shortCode]);
  const options = linkOptions(shortCode);
  return useQuery({
    ...options,
    queryFn({ client, signal }) {
      if (client.getQueryData(options.queryKey) !== undefined) visit.refetches += 1;
      return getLink(shortCode, signal);
    },
    refetchInterval: ({ state: { data } }) =>
      data && isIncomplete(data) && visit.refetches < DETAIL_POLL_MAX_UPDATES ? DETAIL_POLL_INTERVAL_MS : false,
  });
}

function isIncomplete({ imageUrl, title, invalid }: Link): boolean {
  return !invalid && (!imageUrl || !title);
}

async function getLink(shortCode: string, signal: AbortSignal): Promise<Link> {
  try {
    const params = { shortCode };
    return await callApi(`GET ${LINK_KEY}`, { params, signal });
  } catch (cause) {
    throw new Error("Failed to fetch link", { cause });
  }
}

/** Whether the link no longer exists, so that cached data must not be shown. */
export function isNotFound(error: Error | null): boolean {
  return httpErrorOf(error)?.status === 404;
}

export function updateCachedLink(queryClient: QueryClient, shortCode: string, change: Partial<Link>): void {
  queryClient.setQueryData(linkOptions(shortCode).queryKey, (link) => link && { ...link, ...change });
  changeLists(queryClient, (links) =>
    links.map((link) => (link.shortCode === shortCode ? { ...link, ...change } : link)),
  );
}

/** Removes deleted links from all lists. Their details are refetched on the next visit. */
export function removeCachedLinks(queryClient: QueryClient, removed: readonly SelectedLink[]): void {
  const codes = new Set(removed.map(({ shortCode }) => shortCode));
  queryClient.invalidateQueries({
    queryKey: [LINK_KEY],
    predicate: ({ queryKey: [, shortCode] }) => codes.has(shortCode as string),
    refetchType: "none",
  });
  const ids = new Set(removed.map(({ id }) => id));
  changeLists(queryClient, (links) => links.filter(({ id }) => !ids.has(id)));
}

function changeLists(queryClient: QueryClient, change: (links: Link[]) => Link[]): void {
  queryClient.setQueriesData<InfiniteData<LinkPage>>(
    { queryKey: LINK_LISTS_KEY },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, links: change(page.links) })),
      },
  );
}
