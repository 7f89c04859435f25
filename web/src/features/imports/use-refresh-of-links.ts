import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { LINK_LISTS_KEY, refreshLinkLists } from "../../lib/link-lists.ts";
import { importsOptions } from "./api.ts";

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
    queryClient.invalidateQueries();
  }, [queryClient, runningId]);
}
