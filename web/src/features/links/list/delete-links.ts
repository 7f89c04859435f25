import { useMutation, useQueryClient } from "@tanstack/react-query";
import { DELETE_UNDO_MS, LINKS_DELETE_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useCallback, useState } from "react";
import { useErrorToast, useToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { LINK_COUNT_KEY, LINK_LISTS_KEY } from "../../../lib/link-lists.ts";
import { formatNumber } from "../../../lib/locale-formats.ts";
import { addUnsentChange, sendUnsentChanges } from "../../../lib/unsent-changes.ts";
import { removeCachedLinks } from "../get-link.ts";
import { useWaitingDeletion, type WaitingDeletion, waitingDeletionKey } from "../waiting-deletion.tsx";
import { linkStoresOptions } from "./list-links.ts";
import type { SelectedLink } from "./use-selection.ts";

type Links = readonly SelectedLink[];

/** Browsers refuse more than 64 KiB of requests that outlive the page. */
const KEEPALIVE_MAX_COUNT = 4_000;

/** Sends all requests at once, because the page may be closing. @returns the links that were not deleted */
async function deleteLinks(links: Links): Promise<Links> {
  const keepalive = links.length <= KEEPALIVE_MAX_COUNT;
  const batches = Array.from({ length: Math.ceil(links.length / LINKS_DELETE_MAX_COUNT) }, (_, at) =>
    links.slice(at * LINKS_DELETE_MAX_COUNT, (at + 1) * LINKS_DELETE_MAX_COUNT),
  );
  const failed = await Promise.all(
    batches.map((batch) =>
      callApi("DELETE /api/links/bulk", { body: { ids: batch.map(({ id }) => id) }, keepalive }).then(
        () => [],
        () => batch,
      ),
    ),
  );
  return failed.flat();
}

/** Deletes links, which disappear from the lists at once. Those that could not be deleted return. */
function useDeleteLinks() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();

  const deletion = useMutation({
    mutationFn: deleteLinks,
    onMutate(links) {
      queryClient.cancelQueries({ queryKey: LINK_LISTS_KEY });
      const lists = queryClient.getQueriesData({ queryKey: LINK_LISTS_KEY });
      removeCachedLinks(queryClient, links);
      return { lists };
    },
    onSuccess(failed, links, { lists }) {
      if (failed.length === 0) {
        // Lists that were being loaded when the deletion began. The others lack the links already.
        queryClient.invalidateQueries({
          queryKey: LINK_LISTS_KEY,
          predicate: ({ state }) => state.data === undefined || state.isInvalidated,
        });
        return;
      }
      // The next request of a list may fail, too.
      for (const [queryKey, list] of lists) queryClient.setQueryData(queryKey, list);
      const failedIds = new Set(failed.map(({ id }) => id));
      const deleted = links.filter(({ id }) => !failedIds.has(id));
      if (deleted.length === 0) {
        showError(`Failed to delete the ${links.length === 1 ? "link" : "links"}. Please try again.`);
      } else {
        removeCachedLinks(queryClient, deleted);
        const retry = "Retry the rest";
        toast({
          variant: "destructive",
          description: `${formatNumber(deleted.length)} of ${formatNumber(links.length)} links were deleted.`,
          action: { label: retry, altText: retry, onSelect: () => deletion.mutate(failed) },
        });
      }
      queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY });
    },
    onSettled() {
      queryClient.invalidateQueries(linkStoresOptions);
      queryClient.invalidateQueries({ queryKey: LINK_COUNT_KEY });
    },
  });
  return deletion;
}

/**
 * Deletes links 10 seconds later, unless the user undoes it, on whatever page. Until then nothing is sent. It is sent early
 * when the user deletes other links, closes the page or logs out, as they have decided to delete.
 */
export function useUndoableDeletion() {
  const remove = useDeleteLinks();
  const { mutateAsync: deleteLinks } = remove;
  const waiting = useWaitingDeletion();
  const [hasStarted, setHasStarted] = useState(false);
  const { mutate } = useMutation({
    mutationKey: waitingDeletionKey,
    mutationFn: ({ decision }: WaitingDeletion) => decision,
  });

  const start = useCallback(
    (links: Links) => {
      sendUnsentChanges();
      mutate(waitToDelete(links, deleteLinks));
      setHasStarted(true);
    },
    [mutate, deleteLinks],
  );

  const pending = waiting?.links ?? [];
  return {
    waiting,
    /** Whether the user deleted links since the list is shown: the control that they used is gone. */
    hasStarted,
    /** Those that wait or are being deleted, which the list does not show. */
    hidden: remove.isPending ? [...pending, ...remove.variables] : pending,
    /** The same function in each render. */
    start,
  };
}

function waitToDelete(links: Links, deleteLinks: (links: Links) => Promise<unknown>): WaitingDeletion {
  let decide = (_isSent: boolean) => {};
  const decision = new Promise<boolean>((resolve) => {
    decide = resolve;
  });
  // A failure shows a toast.
  const sent = decision.then((isSent) => (isSent ? deleteLinks(links) : undefined)).catch(() => {});
  function send() {
    decide(removeChange());
    return sent;
  }
  const removeChange = addUnsentChange(send);
  const timer = setTimeout(send, DELETE_UNDO_MS);
  addEventListener("pagehide", send);
  decision.then(() => {
    clearTimeout(timer);
    removeEventListener("pagehide", send);
  });
  function undo() {
    removeChange();
    decide(false);
  }
  return { links, undo, decision };
}
