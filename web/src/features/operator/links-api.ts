import { infiniteQueryOptions, keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import type { takeDownLinks } from "@tapthru/proto/operator/links";
import { paths } from "@tapthru/proto/rules/paths";
import type * as z from "zod/mini";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";

/** The worker changes them. */
const LINKS_ARE_CHANGED = {
  takenDown: (count: number | null) =>
    `${count === 1 ? "1 link is" : `${count ?? "Very many"} links are`} being taken down.`,
  restored: (count: number | null) =>
    `${count === 1 ? "1 link will work" : `${count ?? "Very many"} links will work`} again within seconds.`,
};

const LINKS_CHANGED = {
  takenDown: (count: number | null) =>
    `${count === 1 ? "1 link was" : `${count ?? "Very many"} links were`} taken down.`,
  restored: (count: number | null) => `${count === 1 ? "1 link works" : `${count ?? "Very many"} links work`} again.`,
};

const path = "/api/operator/links";

/** Which links a list shows. */
export interface LinksView {
  q: string;
  ownerId: string | null;
  addressHash: string | null;
}

/** The page with the links of a user, or from a network address. */
export function linksOfPath(of: { ownerId: number } | { addressHash: string }): string {
  const query = "ownerId" in of ? `owner=${of.ownerId}` : `address=${of.addressHash}`;
  return `${paths.operatorLinks}?${query}`;
}

export const allLinksOptions = ({ q, ownerId, addressHash }: LinksView) =>
  infiniteQueryOptions({
    queryKey: [path, { q, ownerId, addressHash }],
    queryFn: ({ pageParam, signal }) =>
      callApi("GET", path, {
        query: {
          ...(q && { q }),
          ...(ownerId !== null && { ownerId }),
          ...(addressHash !== null && { addressHash }),
          ...(pageParam !== null && { before: String(pageParam) }),
        },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextBefore }) => nextBefore,
    placeholderData: keepPreviousData,
    ...SETTINGS_QUERY,
  });

type TakeDown = z.input<(typeof takeDownLinks)["body"]>;

/** The worker changes the links of a user or an address within this time, unless they are very many. */
const WORKER_MS = 3_000;

/**
 * Takes links down, or lets them work again. The toast undoes it for selected links. Which of all links of a user or an
 * address the worker changes is unknown here.
 */
export function useTakeDown() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const refresh = () => queryClient.invalidateQueries({ queryKey: [path] });
  const { mutate, isPending } = useMutation({
    mutationFn: (body: TakeDown) => callApi("POST", `${path}/take-down`, { body }),
    onSuccess(reply, { isTakenDown }) {
      const shortCodes = "shortCodes" in reply ? reply.shortCodes : null;
      if (shortCodes === null) setTimeout(refresh, WORKER_MS);
      const changed = shortCodes === null ? LINKS_ARE_CHANGED : LINKS_CHANGED;
      toast({
        description: (isTakenDown ? changed.takenDown : changed.restored)(reply.count),
        ...(shortCodes?.length && {
          action: {
            label: "Undo",
            altText: "Select the links again and undo it there",
            onSelect: () => mutate({ links: { shortCodes }, isTakenDown: !isTakenDown }),
          },
        }),
      });
    },
    onError: () => showError("Not all links were changed. Please try again."),
    onSettled: refresh,
  });
  return { takeDown: mutate, isPending };
}
