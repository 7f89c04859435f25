import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { LINK_LISTS_KEY } from "../../lib/link-lists.ts";
import { linkOptions } from "./get-link.ts";
import type { LinkPage } from "./list/list-links.ts";
import type { SelectedLink } from "./list/use-selection.ts";

/** Changes a link in all caches: its details and every list that contains it. */
export function updateCachedLink(queryClient: QueryClient, shortCode: string, change: Partial<Link>): void {
  queryClient.setQueryData(linkOptions(shortCode).queryKey, (link) => link && { ...link, ...change });
  changeLists(queryClient, (links) =>
    links.map((link) => (link.shortCode === shortCode ? { ...link, ...change } : link)),
  );
}

/** Removes deleted links from all lists. Their details are refetched on the next visit. */
export function removeCachedLinks(queryClient: QueryClient, removed: readonly SelectedLink[]): void {
  for (const { shortCode } of removed) {
    if (shortCode === undefined) continue;
    const { queryKey } = linkOptions(shortCode);
    queryClient.invalidateQueries({ queryKey, refetchType: "none" });
  }
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
