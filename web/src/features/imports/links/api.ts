import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ImportFilter, ImportState } from "@tapthru/proto/imports";
import { useEffect, useRef } from "react";
import { callApi } from "../../../lib/http/call-api.ts";
import { pollDelay } from "../../../lib/http/query-presets.ts";
import { LINK_LISTS_KEY, refreshAfter, refreshLinkLists } from "../../../lib/link-lists.ts";

const PATH = "/api/imports";
const key = [PATH];
const LINES_PER_PAGE = 50;

export const importsOptions = queryOptions({
  queryKey: [...key, "list"],
  queryFn: ({ signal }) => callApi(`GET ${PATH}`, { signal }),
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchInterval({ state: { data, error } }) {
    const running = data?.find(({ state }) => state === "running");
    return running ? pollDelay(running.startedAt ?? running.createdAt, error) : false;
  },
});

export function importLinesOptions(id: string, state: ImportState, show: ImportFilter) {
  return infiniteQueryOptions({
    queryKey: [...key, id, state, show],
    queryFn: ({ pageParam, signal }) =>
      callApi("GET /api/imports/:id", {
        params: { id },
        query: { show, after: String(pageParam), limit: String(LINES_PER_PAGE) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ nextAfter }) => nextAfter,
    placeholderData: keepPreviousData,
  });
}

/**
 * Refetches what a page shows when an import ends: lists, labels, stores and clicks. While it is running, lists of links are
 * refetched when they are shown again. Requests imports only if a page did before, in the same session.
 */
export function useRefreshOfLinks(): void {
  const queryClient = useQueryClient();
  const isKnown = queryClient.getQueryData(importsOptions.queryKey) !== undefined;
  const { data: imports } = useQuery({ ...importsOptions, enabled: isKnown });
  const runningId = imports?.find(({ state }) => state === "running")?.id ?? null;
  const created = imports?.reduce((sum, { counts }) => sum + counts.created, 0);
  const previousId = useRef(runningId);

  useEffect(() => {
    if (created === undefined) return;
    queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY, refetchType: "none" });
  }, [queryClient, created]);

  useEffect(() => {
    const hasEnded = previousId.current !== null && previousId.current !== runningId;
    previousId.current = runningId;
    if (!hasEnded) return;
    refreshLinkLists(queryClient);
    queryClient.invalidateQueries({ queryKey: ["/api/links/stores"] });
    void refreshAfter(queryClient, "POST /api/imports/:id/start");
  }, [queryClient, runningId]);
}
