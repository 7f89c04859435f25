import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { listLinks as ListLinks } from "@tapthru/proto/http/links";

const path: (typeof ListLinks)["path"] = "/api/links";

/** What the keys of all cached lists of links begin with, whatever was searched for. */
export const LINK_LISTS_KEY = [path] as const;

/** After a new link: lists are asked for again from their first page, which is shown meanwhile. */
export function refreshLinkLists(queryClient: QueryClient): Promise<void> {
  queryClient.setQueriesData<InfiniteData<unknown>>(
    { queryKey: LINK_LISTS_KEY },
    (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
  );
  return queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY });
}
