import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/http/links";
import { LINK_LISTS_KEY } from "../../lib/link-lists.ts";
import { linkOptions } from "./api/get-link.ts";
import type { LinkPage } from "./api/list-links.ts";

/** Changes a link wherever it is cached: its details, and each list it is in. */
export function updateCachedLink(
  queryClient: QueryClient,
  shortCode: string,
  change: Partial<Link>,
): void {
  queryClient.setQueryData(
    linkOptions(shortCode).queryKey,
    (link) => link && { ...link, ...change },
  );
  changeLists(queryClient, (links) =>
    links.map((link) => (link.shortCode === shortCode ? { ...link, ...change } : link)),
  );
}

/** Takes a deleted link out of all lists; its details are asked for again if anybody comes back to them. */
export function removeCachedLink(queryClient: QueryClient, shortCode: string): void {
  const { queryKey } = linkOptions(shortCode);
  queryClient.invalidateQueries({ queryKey, refetchType: "none" });
  changeLists(queryClient, (links) => links.filter((link) => link.shortCode !== shortCode));
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
