import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LINKS_DELETE_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { LINK_LISTS_KEY } from "../../../lib/link-lists.ts";
import { removeCachedLinks } from "../link-cache.ts";
import { linkStoresOptions } from "./list-links.ts";
import type { SelectedLink } from "./use-selection.ts";

/** Browsers refuse more than 64 KiB of requests that outlive the page. */
const KEEPALIVE_MAX_COUNT = 4_000;

/** Sends all requests at once, because the page may be closing. Those for very many links follow each other. */
async function deleteLinks(links: readonly SelectedLink[]): Promise<void> {
  const ids = links.map(({ id }) => id);
  const batches = [];
  for (let start = 0; start < ids.length; start += LINKS_DELETE_MAX_COUNT) {
    batches.push(ids.slice(start, start + LINKS_DELETE_MAX_COUNT));
  }
  const keepalive = ids.length <= KEEPALIVE_MAX_COUNT;
  const send = (batch: number[]) => callApi("DELETE", "/api/links/bulk", { body: { ids: batch }, keepalive });
  if (keepalive) await Promise.all(batches.map(send));
  else for (const batch of batches) await send(batch);
}

/** Deletes links, which disappear from the lists at once and return if the request fails. */
export function useDeleteLinks() {
  const queryClient = useQueryClient();
  const showError = useErrorToast();

  return useMutation({
    mutationFn: deleteLinks,
    onMutate(links) {
      queryClient.cancelQueries({ queryKey: LINK_LISTS_KEY });
      const lists = queryClient.getQueriesData({ queryKey: LINK_LISTS_KEY });
      removeCachedLinks(queryClient, links);
      return { lists };
    },
    onError(_error, _links, before) {
      // The next request of a list may fail, too.
      for (const [queryKey, list] of before?.lists ?? []) queryClient.setQueryData(queryKey, list);
      showError("Failed to delete the links. Please try again.");
      queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY });
    },
    onSuccess() {
      // Lists that were being loaded when the deletion began. The others lack the links already.
      queryClient.invalidateQueries({
        queryKey: LINK_LISTS_KEY,
        predicate: ({ state }) => state.data === undefined || state.isInvalidated,
      });
    },
    onSettled() {
      queryClient.invalidateQueries(linkStoresOptions);
    },
  });
}
