import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { LINKS_PAGE_DEFAULT_SIZE, LINKS_RENDERED_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { browserTimeZone } from "../../../lib/dates.ts";
import { callApi, callApiForReply } from "../../../lib/http/call-api.ts";
import { HttpError } from "../../../lib/http/http-client.ts";
import { LINK_QUERY } from "../../../lib/http/query-presets.ts";
import { LINK_LISTS_KEY, REFETCHED_PAGES_MAX_COUNT } from "../../../lib/link-lists.ts";
import { type ListView, viewParameters } from "./use-list-view.ts";

/** The first page is small, to load fast. Together with the second it is as long as a list that is rendered whole. */
const NEXT_PAGE_SIZE = LINKS_RENDERED_MAX_COUNT - LINKS_PAGE_DEFAULT_SIZE;

export interface LinkPage {
  links: Link[];
  /** Where the next page begins. Null on the last page. */
  nextCursor: string | null;
}

export function linkListOptions(view: ListView) {
  return infiniteQueryOptions({
    queryKey: [...LINK_LISTS_KEY, view],
    queryFn: ({ pageParam, signal }) => listLinks({ view, cursor: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: LinkPage) => nextCursor,
    placeholderData: keepPreviousData,
    ...LINK_QUERY,
    refetchOnMount: ({ state }) => (state.data?.pages.length ?? 0) <= REFETCHED_PAGES_MAX_COUNT,
    refetchOnReconnect: ({ state }) => state.data === undefined,
    retry: (failures, error) => LINK_QUERY.retry(failures, error) && navigator.onLine,
  });
}

interface PageRequest {
  view: ListView;
  cursor: string | null;
  signal: AbortSignal;
}

async function listLinks({ view, cursor, signal }: PageRequest): Promise<LinkPage> {
  const query = {
    limit: String(cursor === null ? LINKS_PAGE_DEFAULT_SIZE : NEXT_PAGE_SIZE),
    ...(cursor !== null && { cursor }),
    ...viewParameters(view),
    ...(view.sort === "clicks" && { tz: browserTimeZone() }),
  };
  try {
    const { headers, body: links } = await callApiForReply("GET", "/api/links", {
      query,
      signal,
    });
    const nextCursor = readNext(headers, "cursor");
    // The api looks at a part of many links at once.
    if (links.length === 0 && nextCursor !== null) {
      return listLinks({ view, cursor: nextCursor, signal });
    }
    return { links, nextCursor };
  } catch (cause) {
    if (!(cause instanceof HttpError)) throw cause;
    throw new Error(`Network response was not ok: ${cause.status} ${cause.text}`, { cause });
  }
}

/** Where the next page begins, by the header `Link` with its path; null without one. */
function readNext(headers: Headers, parameter: "cursor" | "before"): string | null {
  const [, nextPage] = /^<(.+)>; rel="next"$/.exec(headers.get("Link") ?? "") ?? [];
  return nextPage === undefined ? null : new URL(nextPage, location.origin).searchParams.get(parameter);
}

/** The ids of all links that match the view, newest first. */
async function listLinkIds(view: ListView): Promise<number[]> {
  const { sort: _sort, ...conditions } = viewParameters(view);
  const ids: number[] = [];
  let before: string | null = null;
  do {
    const query = { ...conditions, ...(before !== null && { before }) };
    const { headers, body } = await callApiForReply("GET", "/api/link-ids", { query });
    ids.push(...body);
    before = readNext(headers, "before");
  } while (before !== null);
  return ids;
}

export function useLinkIds() {
  const showError = useErrorToast();
  return useMutation({
    mutationFn: listLinkIds,
    onError: () => showError("The other links could not be selected. Please try again."),
  });
}

const path = "/api/links/stores";

/** The stores that the user has links to. */
export const linkStoresOptions = queryOptions({
  // Not the key of a link with the code `stores`.
  queryKey: [path, "all"],
  queryFn: ({ signal }) => callApi("GET", path, { signal }),
  // Links may have been created or deleted.
  staleTime: 0,
});
