import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { type CallName, methodAndPath } from "./http/call-api.ts";
import { loadSchemas } from "./http/load-schemas.ts";

export const LINKS_ID = "your-links";

/** The prefix of the query keys of all cached link lists. The view follows. */
export const LINK_LISTS_KEY = ["/api/links"] as const;

/** The prefix of the query keys of how many links lists have. */
export const LINK_COUNT_KEY = ["/api/link-count"] as const;

/** Their effect is in cached lists of links before these are refetched, which takes a request for each of up to hundreds of pages. */
const APPLIED: readonly CallName[] = ["PATCH /api/links/:shortCode", "DELETE /api/links/:id", "DELETE /api/links/bulk"];

/** After a reply 202, which accepts a change that is made later, everything is refetched after these times too. */
const LATER_MS = [2_000, 8_000];

interface Outcome {
  status?: number | undefined;
  /** Undefined after a failure. */
  input?: object | undefined;
  /** The page of a deleted object is about to close: nothing that it shows is refetched. */
  isLast?: boolean | undefined;
}

/** Refetches what a call makes stale, as its definition says; of a change that lists have already, only what shows the link alone. */
export async function refreshAfter(
  queryClient: QueryClient,
  name: CallName,
  { status, input, isLast = false }: Outcome = {},
): Promise<void> {
  const { isStaleAfter } = await loadSchemas();
  // A new destination may be in another store.
  const isApplied = input !== undefined && APPLIED.includes(name) && !("url" in Object(Object(input).body));
  const isStale = ({ queryKey: [path] }: { queryKey: QueryKey }) => isStaleAfter(name, String(path));
  async function refresh(cancelRefetch: boolean) {
    await queryClient.invalidateQueries({ refetchType: "none", predicate: isStale });
    if (isLast) return;
    const predicate = (query: { queryKey: QueryKey }) =>
      isStale(query) && !(isApplied && !String(query.queryKey[0]).includes(":"));
    await queryClient.refetchQueries({ type: "active", predicate }, { cancelRefetch });
  }
  // A slow reply to the first one is not awaited from the beginning.
  if (status === 202) for (const ms of LATER_MS) setTimeout(() => refresh(false), ms);
  await refresh(true);
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
