import { skipToken, useMutation, useMutationState, useQuery, useQueryClient } from "@tanstack/react-query";
import { LINKS_BATCH_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useCallback } from "react";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { errorText } from "../../../lib/http/http-client.ts";
import { sendInParts } from "../../../lib/http/send-in-parts.ts";
import { changeLists, LINK_LISTS_KEY, refreshAfter } from "../../../lib/link-lists.ts";
import { formatCount, formatNumber } from "../../../lib/locale-formats.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import type { SelectedLink } from "./use-selection.ts";

type Links = readonly SelectedLink[];

const DELETION = ["delete links"];
const DELETED = ["deleted links"];
const NONE: readonly number[] = [];
const FAILED = "Failed to delete the link. Please try again.";

const idsOf = (links: Links) => links.map(({ id }) => id);

export function useDeletion() {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const { data: deleted = NONE } = useQuery<readonly number[]>({
    queryKey: DELETED,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const deletedNow = () => queryClient.getQueryData<readonly number[]>(DELETED) ?? NONE;
  const setDeleted = (ids: readonly number[]) => queryClient.setQueryData(DELETED, ids);

  const { mutate } = useMutation({
    mutationKey: DELETION,
    mutationFn: (links: Links) =>
      sendInParts(links, LINKS_BATCH_MAX_COUNT, (part) =>
        callApi("DELETE /api/links/bulk", { body: { ids: idsOf(part) }, keepalive: true }),
      ),
    onSuccess({ rest, error }, all) {
      const links = all.slice(0, all.length - rest.length);
      if (links.length > 0) {
        setDeleted([...deletedNow(), ...idsOf(links)]);
        const ids = new Set<unknown>(idsOf(links));
        changeLists(queryClient, LINK_LISTS_KEY, (loaded) => loaded.filter(({ id }) => !ids.has(id)));
        void refreshAfter(queryClient, "DELETE /api/links/bulk");
        if (rest.length > 0)
          showError(`${formatNumber(links.length)} of ${formatCount(all.length, "link")} were deleted.`);
      } else if (error) showError(errorText(error, all.length === 1 ? FAILED : FAILED.replace("link", "links")));
    },
  });

  const restoration = useSingleMutation({
    mutationFn: (all: readonly number[]) =>
      sendInParts(all, LINKS_BATCH_MAX_COUNT, (ids) =>
        callApi("POST /api/links/bulk/restore", { body: { ids }, keepalive: true }),
      ),
    onSuccess({ rest, replies }, all) {
      const refused = replies.flatMap(({ results }) => results).filter(({ error }) => error !== null);
      if (rest.length + refused.length > 0) {
        showError(`${formatCount(rest.length + refused.length, "link")} could not be restored.`);
      }
      // Other links may have been deleted meanwhile.
      const restored = new Set(all.slice(0, all.length - rest.length));
      setDeleted(deletedNow().filter((id) => !restored.has(id)));
      void refreshAfter(queryClient, "POST /api/links/bulk/restore");
    },
  });

  const pending = useMutationState({
    filters: { mutationKey: DELETION, status: "pending" },
    select: ({ state }) => state.variables as Links,
  });
  return {
    /** The ids of those that can be restored, also after the page was left. */
    deleted,
    /** Those that are being deleted, which the list does not show. */
    hidden: pending.flat(),
    /** The same function in each render. */
    start: useCallback((links: Links) => mutate(links), [mutate]),
    undo: () => restoration.mutate(deleted),
    close: () => setDeleted(NONE),
  };
}

/** The list offers an undo of a deletion elsewhere too. */
export function useDeletedElsewhere(): (id: number) => void {
  const queryClient = useQueryClient();
  return (id) => queryClient.setQueryData<readonly number[]>(DELETED, (before = NONE) => [...before, id]);
}
