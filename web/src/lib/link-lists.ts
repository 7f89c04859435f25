import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { CallName } from "./http/call-api.ts";
import { loadSchemas } from "./http/load-schemas.ts";

export const LINKS_ID = "your-links";

/** The prefix of the query keys of all cached link lists. The view follows. */
export const LINK_LISTS_KEY = ["/api/links"] as const;

/** The prefix of the query keys of how many links lists have. */
const LINK_COUNT_KEY = ["/api/link-count"] as const;

type Pages = InfiniteData<{ links: readonly unknown[]; staleSince?: number }>;

/** Refetches all lists after a link was created. Keeps only their first page, which stays visible. */
export function refreshLinkLists(queryClient: QueryClient): Promise<void> {
  queryClient.setQueriesData<Pages>(
    { queryKey: LINK_LISTS_KEY },
    (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
  );
  queryClient.invalidateQueries({ queryKey: LINK_COUNT_KEY });
  return queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY });
}

/** After other changes of links: lists load their pages again when these are in view. */
async function refreshChangedLists(queryClient: QueryClient): Promise<void> {
  // A page that is being loaded may lack the change.
  await queryClient.cancelQueries({ queryKey: LINK_LISTS_KEY });
  queryClient.setQueriesData<Pages>({ queryKey: LINK_LISTS_KEY }, (list) => {
    const staleSince = Date.now();
    return list && { ...list, pages: list.pages.map((page) => ({ ...page, staleSince })) };
  });
  // Of a list without links, nothing is in view.
  const isEmpty = (list?: Pages) => !list?.pages.some(({ links }) => links.length > 0);
  queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY, predicate: ({ state }) => isEmpty(state.data as Pages) });
  queryClient.invalidateQueries({ queryKey: LINK_COUNT_KEY });
}

/**
 * Refetches what a call makes stale, as its definition says; lists of links as `refreshChangedLists` does.
 * @param refetchType `none`: not what is shown, because the page of a deleted link is about to close
 */
export async function refreshAfter(
  queryClient: QueryClient,
  name: CallName,
  refetchType: "active" | "none" = "active",
): Promise<void> {
  const { isStaleAfter } = await loadSchemas();
  const [lists] = LINK_LISTS_KEY;
  if (isStaleAfter(name, lists)) void refreshChangedLists(queryClient);
  await queryClient.invalidateQueries({
    refetchType,
    predicate: ({ queryKey: [path] }) => path !== lists && isStaleAfter(name, String(path)),
  });
}
