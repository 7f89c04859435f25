import { type MutateOptions, type Mutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import type { GeneratedLink } from "@tapthru/proto/generate";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { useEffect, useEffectEvent, useState } from "react";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { useSingleMutation } from "../../../kit/use-single-mutation.ts";
import { createIdempotencyKey } from "../../../lib/hash.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { httpErrorOf } from "../../../lib/http/http-client.ts";
import { waitSeconds } from "../../../lib/http/too-many-requests.ts";
import { refreshAfter } from "../../../lib/link-lists.ts";
import {
  type CreatedLink,
  createLink,
  isRetried,
  lastingMessage,
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
  const { mutate } = useSingleMutation({
    mutationKey,
    // Mutations of a scope run one after another.
    scope: { id: "new links" },
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: (entry: Entry) => createLink(queryClient, entry),
    retry: isRetried,
    retryDelay,
    onSettled() {
      const isLast = queryClient.isMutating({ mutationKey }) === 1;
      if (isLast) void refreshAfter(queryClient, "POST /api/generate").catch(() => {});
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

const METADATA_RETRY_DELAY_MS = 3_000;

export type LinkCreation = ReturnType<typeof useCreateLink>;

/**
 * New links of a page that shows one at its field. If others are added before it is created, it is a line of their list.
 * @param onCreated not called after the page was left, nor for a line of a list
 * @param onStart called within the click or paste that creates a link
 */
export function useCreateLink(onCreated: (link: CreatedLink) => void, onStart: () => void) {
  const links = useCreateLinks();
  const showError = useErrorToast();
  const [address, setAddress] = useState<string>();
  const [isEdited, setEdited] = useState(false);
  const [first, ...others] = links.lines;
  const line = first?.address === address && others.length === 0 ? first : undefined;
  const refusedName = line && refusedNameOf(line, line.error);
  return {
    links,
    line,
    refusedName,
    error: line?.error && !refusedName && !isEdited ? lastingMessage(line.error) : undefined,
    create(url: string, options: NewLinkOptions) {
      onStart();
      setAddress(url);
      setEdited(false);
      // The field has another address now. The same one is tried again.
      links.clear((each) => each.error !== null && each.address === address && address !== url);
      links.add([url], options, {
        onSuccess: onCreated,
        onError: (error) => refusedNameOf({ options }, error) ?? showError(error.message),
      });
    },
    onEdit: () => setEdited(true),
  };
}

function refusedNameOf({ options: { slug } }: Pick<Line, "options">, error: Error | null): string | undefined {
  const refusal = httpErrorOf(error);
  const isRefused = slug !== undefined && (refusal?.code === "slug-taken" || refusal?.code === "invalid-body");
  return isRefused ? refusal?.text : undefined;
}

export const isMissingMetadata = ({ imageUrl, title }: Pick<GeneratedLink, "imageUrl" | "title">) =>
  !imageUrl && !title;

/**
 * Requests the metadata of an incomplete link after 3 seconds. A change of the link or unmounting cancels it.
 * @param onReply called also after a failure, which is only logged
 */
export function useMetadataRetry<Link extends GeneratedLink>(
  incomplete: Link | undefined,
  onReply: (link: Link, isFound: boolean) => void,
): void {
  const run = useEffectEvent(async (link: Link, signal: AbortSignal) => {
    const isFound = await hasMetadata(link, signal).catch((error) => {
      if (!signal.aborted) console.warn("Failed to complete the link's metadata:", error);
      return false;
    });
    if (!signal.aborted) onReply(link, isFound);
  });

  useEffect(() => {
    if (!incomplete) return;
    const stop = new AbortController();
    const timer = setTimeout(() => run(incomplete, stop.signal), METADATA_RETRY_DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [incomplete]);
}

/** By the product id of the deep link. */
async function hasMetadata({ originalUrl, deepLink }: GeneratedLink, signal: AbortSignal): Promise<boolean> {
  const page = parseStorePage(originalUrl);
  const productId = new URL(deepLink).searchParams.get("product_id");
  if (!productId || page === null) return false;
  const query = { product_id: productId, marketplace: page.marketplace };
  return !isMissingMetadata(await callApi("GET /api/metadata", { query, signal }));
}
