import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query";
import { type CallName, methodAndPath } from "./http/call-api.ts";
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

/** After a reply 202, which accepts a change that is made later, everything is refetched after these times too. */
const LATER_MS = [2_000, 8_000];

interface Outcome {
  status?: number | undefined;
  /** The page of a deleted object is about to close: nothing that it shows is refetched. */
  isLast?: boolean | undefined;
}

/** Refetches what a call makes stale, as its definition says; lists of links as `refreshChangedLists` does. */
export async function refreshAfter(
  queryClient: QueryClient,
  name: CallName,
  { status, isLast = false }: Outcome = {},
): Promise<void> {
  const { isStaleAfter } = await loadSchemas();
  const [lists] = LINK_LISTS_KEY;
  const refresh = () =>
    Promise.all([
      isStaleAfter(name, lists) && refreshChangedLists(queryClient),
      queryClient.invalidateQueries({
        refetchType: isLast ? "none" : "active",
        predicate: ({ queryKey: [path] }) => path !== lists && isStaleAfter(name, String(path)),
      }),
    ]);
  if (status === 202) for (const ms of LATER_MS) setTimeout(refresh, ms);
  await refresh();
}

type Params = Readonly<Record<string, string>>;
type Item = Record<string, unknown>;

/** Puts a change into the cached object and lists, so that they are right before they are refetched. */
export async function applyReply(queryClient: QueryClient, name: CallName, input: object, reply: unknown) {
  const { repliesAsGet } = await loadSchemas();
  const [method, path] = methodAndPath(name);
  const [list = "", key = ""] = path.split("/:");
  const params = "params" in input ? (input.params as Params) : undefined;
  if (reply !== undefined && repliesAsGet(name)) {
    // Its name in the path may be new.
    const named = params && { ...params, ...(key in Object(reply) && { [key]: Object(reply)[key] }) };
    for (const each of [params, named]) queryClient.setQueryData(each ? [path, { params: each }] : [path], reply);
  }
  const value = params?.[key];
  if (value === undefined) return;
  const isIt = (item: Item) => String(item[key]) === value;
  changeLists(queryClient, [list], (items) => {
    if (method === "DELETE") return items.filter((item) => !isIt(item));
    return items.map((item) => (isIt(item) ? Object.assign({}, item, reply) : item));
  });
}

/** Changes the items of cached lists, also of those of links, which have pages. */
export function changeLists(queryClient: QueryClient, queryKey: QueryKey, change: (items: Item[]) => Item[]): void {
  queryClient.setQueriesData<unknown>({ queryKey }, (data: unknown) => {
    if (Array.isArray(data)) return change(data);
    const pages: unknown = Object(data).pages;
    if (!Array.isArray(pages)) return data;
    return {
      ...Object(data),
      pages: pages.map((page) => (page.links ? { ...page, links: change(page.links) } : page)),
    };
  });
}
