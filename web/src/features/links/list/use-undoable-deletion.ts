import { useMutation } from "@tanstack/react-query";
import { DELETE_UNDO_MS } from "@tapthru/proto/rules/limits";
import { addUnsentChange } from "../../../lib/unsent-changes.ts";
import {
  useWaitingDeletion,
  type WaitingDeletion,
  waitingDeletionKey,
} from "../waiting-deletion.tsx";
import { useDeleteLinks } from "./delete-links.ts";
import type { SelectedLink } from "./use-selection.ts";

/**
 * Deletes links 10 seconds later, unless the user undoes it, on whatever page. Until then nothing is sent. It is sent early
 * when the user deletes other links, closes the page or logs out, as they have decided to delete.
 */
export function useUndoableDeletion() {
  const remove = useDeleteLinks();
  const waiting = useWaitingDeletion();
  const { mutate } = useMutation({
    mutationKey: waitingDeletionKey,
    mutationFn: ({ decision }: WaitingDeletion) => decision,
  });

  function start(links: readonly SelectedLink[]) {
    waiting?.send();
    let decide = (_isSent: boolean) => {};
    const decision = new Promise<boolean>((resolve) => {
      decide = resolve;
    });
    // A failure shows a toast.
    const sent = decision
      .then((isSent) => (isSent ? remove.mutateAsync(links) : undefined))
      .catch(() => {});
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
    mutate({ links, undo, send, decision });
  }

  const pending = waiting?.links ?? [];
  return {
    waiting,
    /** Those that wait or are being deleted, which the list does not show. */
    hidden: remove.isPending ? [...pending, ...remove.variables] : pending,
    start,
  };
}
