import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { LinkPattern, updatePattern as UpdatePattern } from "@tapthru/proto/patterns";
import type * as z from "zod/mini";
import { useCreation } from "../../components/revocable-items/use-creation.ts";
import { useRevocation } from "../../components/revocable-items/use-revocation.ts";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { refreshLinkLists } from "../../lib/link-lists.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

const path = "/api/patterns";

/** A pattern may have ten thousand links. */
const DELETION_TIMEOUT_MS = 60_000;

/** Always stale: patterns may have been created or revoked elsewhere. */
export const patternsOptions = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => callApi("GET", path, { signal }),
  staleTime: 0,
});

interface Callbacks {
  onCreated: () => void;
  onFailed: (message: string) => void;
}

export function useCreatePattern({ onCreated, onFailed }: Callbacks) {
  const queryClient = useQueryClient();
  return useCreation({
    create: (body: { name: string }) => callApi("POST", path, { body }),
    queryKeys: [patternsOptions.queryKey],
    texts: {
      failed: "Failed to create the link pattern. Please try again.",
      replyLost: "No reply arrived. Please see whether the pattern is in the list before you try again.",
    },
    onCreated(created) {
      queryClient.setQueryData(patternsOptions.queryKey, (all) => all && [created, ...all]);
      onCreated();
    },
    onFailed,
  });
}

/** @param onRevoked called once the pattern is no longer in the list */
export function useRevokePattern({ id }: LinkPattern, onRevoked: () => void) {
  const queryClient = useQueryClient();
  return useRevocation({
    revoke: () => callApi("DELETE", "/api/patterns/:id", { params: { id } }),
    remove() {
      onRevoked();
      queryClient.setQueryData(patternsOptions.queryKey, (all) => all?.filter((each) => each.id !== id));
    },
    queryKeys: [patternsOptions.queryKey],
    texts: {
      revoked: "The link pattern was revoked.",
      revokedBefore: "This link pattern had already been revoked.",
    },
  });
}

export function useChangePattern({ id }: LinkPattern, changed: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  return useSingleMutation({
    mutationFn: (body: z.input<(typeof UpdatePattern)["body"]>) =>
      callApi("PATCH", "/api/patterns/:id", { params: { id }, body }),
    onSuccess(pattern) {
      queryClient.setQueryData(patternsOptions.queryKey, (all) =>
        all?.map((each) => (each.id === id ? pattern : each)),
      );
      toast({ title: "Success", description: changed });
    },
    onError: () => showError("Failed to change the link pattern. Please try again."),
    onSettled: () => queryClient.invalidateQueries(patternsOptions),
  });
}

/** Deletes the links that the pattern created. */
export function useDeletePatternLinks({ id }: LinkPattern) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  return useSingleMutation({
    mutationFn: (_: undefined) =>
      callApi("DELETE", "/api/patterns/:id/links", {
        params: { id },
        timeoutMs: DELETION_TIMEOUT_MS,
      }),
    onSuccess({ deletedCount }) {
      toast({
        title: "Success",
        description:
          deletedCount === 1 ? "1 link was deleted." : `${deletedCount.toLocaleString("en")} links were deleted.`,
      });
    },
    onError: () => showError("Not all links could be deleted. Please try again to delete the rest."),
    onSettled() {
      refreshLinkLists(queryClient);
      queryClient.invalidateQueries();
    },
  });
}
