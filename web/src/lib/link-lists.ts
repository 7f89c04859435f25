import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { listLinks as ListLinks } from "@tapthru/proto/http/links";

const path: (typeof ListLinks)["path"] = "/api/links";

/** The prefix of the query keys of all cached link lists. The search text follows. */
export const LINK_LISTS_KEY = [path] as const;

/** Refetches all lists after a link was created. Keeps only their first page, which stays visible. */
export function refreshLinkLists(queryClient: QueryClient): Promise<void> {
  queryClient.setQueriesData<InfiniteData<unknown>>(
    { queryKey: LINK_LISTS_KEY },
    (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
  );
  return queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY });
}
