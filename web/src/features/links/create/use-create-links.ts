import {
  type MutateOptions,
  type Mutation,
  useMutation,
  useMutationState,
  useQueryClient,
} from "@tanstack/react-query";
import { useState } from "react";
import { waitSeconds } from "../../../lib/http/too-many-requests.ts";
import { refreshLinkLists } from "../../../lib/link-lists.ts";
import {
  type CreatedLink,
  createIdempotencyKey,
  createLink,
  isRetried,
  type NewLink,
  type NewLinkOptions,
  retryDelay,
} from "./create-link.ts";

export const LINKS_AT_ONCE_MAX = 20;

/** A pasted address and its link. While pending, it has neither a link nor an error. */
export interface Line extends NewLink {
  position: number;
  link: CreatedLink | undefined;
  error: Error | null;
  /** True after too many requests. The link is retried later. */
  isThrottled: boolean;
}

type Entry = Pick<Line, keyof NewLink | "position">;
type Callbacks = Pick<MutateOptions<CreatedLink, Error, Entry>, "onSuccess" | "onError">;
export type LinkCreations = ReturnType<typeof useCreateLinks>;

const mutationKey = ["new links"];

const NONE: readonly string[] = [];

/** Returns true if there are pasted addresses without a link, which a reload of the page would lose. */
export const useHasFailedLinks = () => useMutationState({ filters: { mutationKey, status: "error" } }).length > 0;

/**
 * Creates links, one after another. The lines are kept in the query client until their links are shown and the user goes on, so
 * that leaving the page neither stops nor loses them.
 */
export function useCreateLinks() {
  const queryClient = useQueryClient();
  const cache = queryClient.getMutationCache();
  const [leftOut, setLeftOut] = useState(NONE);
  const { mutate } = useMutation({
    mutationKey,
    // Mutations of a scope run one after another.
    scope: { id: "new links" },
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: (entry: Entry) => createLink(queryClient, entry),
    retry: isRetried,
    retryDelay,
    onSettled() {
      const isLast = queryClient.isMutating({ mutationKey }) === 1;
      if (isLast) void refreshLinkLists(queryClient);
    },
  });
  const lines = useMutationState({ filters: { mutationKey }, select: toLine }).toSorted(
    (one, other) => one.position - other.position,
  );

  function remove(isRemoved: (line: Line) => boolean) {
    for (const mutation of cache.findAll({ mutationKey })) {
      if (isRemoved(toLine(mutation))) cache.remove(mutation);
    }
  }

  /** With the key of the first attempt, whose response may have been lost. */
  function retry({ position, address, options, idempotencyKey }: Line, callbacks?: Callbacks) {
    remove((line) => line.idempotencyKey === idempotencyKey);
    mutate({ position, address, options, idempotencyKey }, callbacks);
  }

  /**
   * Adds addresses to the running ones, else starts again: addresses without a link stay. The same address is not added
   * twice, but tried again.
   * @param callbacks of the last address. They are not called once another one was added, or the page was left
   */
  function add(addresses: readonly string[], options: NewLinkOptions, callbacks?: Callbacks) {
    const isRunning = queryClient.isMutating({ mutationKey }) > 0;
    if (!isRunning) remove(({ link }) => link !== undefined);
    const known = cache.findAll({ mutationKey }).map(toLine);
    const last = Math.max(0, ...known.map(({ position }) => position));
    let added = 0;
    setLeftOut(addresses.slice(LINKS_AT_ONCE_MAX));
    for (const address of addresses.slice(0, LINKS_AT_ONCE_MAX)) {
      const same = known.find((line) => line.address === address && isEqual(line.options, options));
      if (same?.error) retry(same, callbacks);
      if (same) continue;
      // What is chosen now takes the place of what failed.
      remove((line) => line.address === address && line.error !== null);
      added += 1;
      mutate({ position: last + added, address, options, idempotencyKey: createIdempotencyKey() }, callbacks);
    }
  }

  return {
    lines,
    links: lines.flatMap(({ link }) => link ?? []),
    isRunning: lines.some(isPending),
    /** Addresses of a guest above LINKS_AT_ONCE_MAX. */
    leftOut,
    retry,
    add,
    clear(isRemoved: (line: Line) => boolean = () => true) {
      remove(isRemoved);
      setLeftOut(NONE);
    },
  };
}

const isPending = ({ link, error }: Line) => !link && !error;
const isEqual = (one: NewLinkOptions, other: NewLinkOptions) => JSON.stringify(one) === JSON.stringify(other);

/** This module alone starts these mutations. */
function toLine({ state: { status, variables, data, error, failureReason } }: Mutation): Line {
  const isThrottled = status === "pending" && waitSeconds(failureReason) !== null;
  return { ...(variables as Entry), link: data as CreatedLink | undefined, error, isThrottled };
}
