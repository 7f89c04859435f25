import type { InfiniteData, QueryClient } from "@tanstack/react-query";

/** The prefix of the query keys of all cached link lists. The search text follows. */
export const LINK_LISTS_KEY = ["/api/links"] as const;

/** All pages of a list are loaded again one after another, so a longer list that is shown again keeps what it has. */
export const REFETCHED_PAGES_MAX_COUNT = 4;

/** Refetches all lists after a link was created. Keeps only their first page, which stays visible. */
export function refreshLinkLists(queryClient: QueryClient): Promise<void> {
  queryClient.setQueriesData<InfiniteData<unknown>>({ queryKey: LINK_LISTS_KEY }, firstPages(1));
  return queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY });
}

/** Refetches all lists after other changes of links. Those that are not shown keep only their first pages. */
export function refreshChangedLists(queryClient: QueryClient): Promise<void> {
  queryClient.setQueriesData<InfiniteData<unknown>>(
    { queryKey: LINK_LISTS_KEY, type: "inactive" },
    firstPages(REFETCHED_PAGES_MAX_COUNT),
  );
  return queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY });
}

const firstPages = (count: number) => (list: InfiniteData<unknown> | undefined) =>
  list && { pages: list.pages.slice(0, count), pageParams: list.pageParams.slice(0, count) };
