import { DELETE_UNDO_MS } from "@tapthru/proto/rules/limits";
import { useEffect, useRef, useState } from "react";
import { addUnsentChange } from "../../../lib/unsent-changes.ts";
import { useTimeout } from "../../../lib/use-timeout.ts";
import { useDeleteLinks } from "./delete-links.ts";
import type { SelectedLink } from "./use-selection.ts";

/**
 * Deletes links 10 seconds later, unless the user undoes it. Until then nothing is sent. It is sent early when the user
 * leaves the page or logs out, as they have decided to delete.
 */
export function useUndoableDeletion() {
  const { mutateAsync, isPending, variables = [] } = useDeleteLinks();
  const [pending, setPending] = useState<readonly SelectedLink[]>([]);
  const timer = useTimeout();

  function take(): readonly SelectedLink[] {
    timer.stop();
    setPending([]);
    return pending;
  }

  async function send() {
    const links = take();
    if (links.length === 0) return;
    // A failure shows a toast.
    await mutateAsync(links).catch(() => {});
  }

  const latestSend = useRef(send);
  useEffect(() => {
    latestSend.current = send;
  });

  useEffect(() => {
    const sendNow = () => latestSend.current();
    const removeChange = addUnsentChange(sendNow);
    addEventListener("pagehide", sendNow);
    return () => {
      removeEventListener("pagehide", sendNow);
      if (removeChange()) sendNow();
    };
  }, []);

  return {
    pending,
    /** Those that are pending or being deleted, which the list does not show. */
    hidden: isPending ? [...pending, ...variables] : pending,
    start(links: readonly SelectedLink[]) {
      send();
      setPending(links);
      timer.start(() => latestSend.current(), DELETE_UNDO_MS);
    },
    undo: take,
  };
}
