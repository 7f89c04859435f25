import { useMutation } from "@tanstack/react-query";
import { DELETE_UNDO_MS } from "@tapthru/proto/rules/limits";
import { useCallback, useState } from "react";
import { addUnsentChange, sendUnsentChanges } from "../../../lib/unsent-changes.ts";
import { useWaitingDeletion, type WaitingDeletion, waitingDeletionKey } from "../waiting-deletion.tsx";
import { useDeleteLinks } from "./delete-links.ts";
import type { SelectedLink } from "./use-selection.ts";

type Links = readonly SelectedLink[];

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

function waitToDelete(links: Links, deleteLinks: (links: Links) => Promise<void>): WaitingDeletion {
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
