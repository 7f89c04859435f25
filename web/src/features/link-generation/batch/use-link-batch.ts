import { type Mutation, useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { LINKS_AT_ONCE_MAX } from "@tapthru/proto/rules/limits";
import { useMemo, useState } from "react";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { refreshLinkLists } from "../../../lib/link-lists.ts";
import type { CreatedLink } from "../api.ts";
import { newIdempotencyKey } from "../use-create-link.ts";
import {
  type BatchEntry,
  type BatchLine,
  createBatchLink,
  isRetried,
  isThrottled,
  type LinkBatch,
  retryDelay,
} from "./batch-entry.ts";
import { loadBatchPanel } from "./batch-panel.ts";

const mutationKey = ["link batch"];

/**
 * Creates several links, one after another. They and their results are kept in the query client until the next batch,
 * so that leaving the page neither stops nor loses them.
 */
export function useLinkBatch(): LinkBatch {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const [leftOut, setLeftOut] = useState(0);
  const { mutate } = useMutation({
    mutationKey,
    // Mutations of a scope run one after another.
    scope: { id: "link batch" },
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: (entry: BatchEntry) => createBatchLink(queryClient, entry),
    retry: isRetried,
    retryDelay,
    onSettled() {
      const isLast = queryClient.isMutating({ mutationKey }) === 1;
      if (isLast) refreshLinkLists(queryClient);
    },
  });
  const unsorted = useMutationState({ filters: { mutationKey }, select: toLine });
  const lines = useMemo(() => [...unsorted].sort((a, b) => a.position - b.position), [unsorted]);
  const links = useMemo(() => lines.flatMap(({ link }) => link ?? []), [lines]);

  const mutations = () => queryClient.getMutationCache().findAll({ mutationKey });

  /** Removes the lines with this position, or all. */
  function remove(position?: number) {
    for (const mutation of mutations()) {
      const isMeant = position === undefined || entryOf(mutation).position === position;
      if (isMeant) queryClient.getMutationCache().remove(mutation);
    }
  }

  return {
    lines,
    links,
    isRunning: lines.some(({ link, error }) => !link && !error),
    leftOut,
    async add(addresses, options) {
      try {
        await loadBatchPanel();
      } catch {
        return showError("Failed to generate link");
      }
      if (queryClient.isMutating({ mutationKey }) === 0) remove();
      const known = mutations().map((mutation) => entryOf(mutation).address);
      const added = addresses.filter((address) => !known.includes(address));
      setLeftOut(Math.max(0, added.length - LINKS_AT_ONCE_MAX));
      for (const [index, address] of added.slice(0, LINKS_AT_ONCE_MAX).entries()) {
        const position = known.length + index;
        mutate({ position, address, idempotencyKey: newIdempotencyKey(), options });
      }
    },
    // Keeps the Idempotency-Key: the response of the first attempt may have been lost.
    retry({ position, address, idempotencyKey, options }) {
      remove(position);
      mutate({ position, address, idempotencyKey, options });
    },
    clear() {
      remove();
      setLeftOut(0);
    },
  };
}

type BatchMutation = Mutation<CreatedLink, Error, BatchEntry>;

/** The variables of a mutation, which this module alone starts. */
function entryOf(mutation: { state: { variables: unknown } }): BatchEntry {
  return mutation.state.variables as BatchEntry;
}

function toLine(mutation: BatchMutation): BatchLine {
  const { status, data: link, error, failureReason } = mutation.state;
  const isWaiting = status === "pending" && isThrottled(failureReason);
  return { ...entryOf(mutation), link, error, isThrottled: isWaiting };
}
