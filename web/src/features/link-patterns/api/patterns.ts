import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type {
  createPattern as CreatePattern,
  deletePattern as DeletePattern,
  LinkPattern,
  listPatterns as ListPatterns,
} from "@tapthru/proto/http/patterns";
import { messages } from "@tapthru/proto/rules/messages";
import { useCreation } from "../../../components/revocable-items/use-creation.ts";
import { useRevocation } from "../../../components/revocable-items/use-revocation.ts";
import { callApi } from "../../../lib/http/call-api.ts";

const path: (typeof ListPatterns)["path"] = "/api/patterns";

/** Always stale: patterns may have been created or revoked elsewhere. */
export const patternsOptions = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => callApi<typeof ListPatterns>("GET", path, { signal }),
  staleTime: 0,
});

interface Callbacks {
  onCreated: () => void;
  onFailed: (message: string) => void;
}

export function useCreatePattern({ onCreated, onFailed }: Callbacks) {
  const queryClient = useQueryClient();
  return useCreation({
    create: (body: { name: string }) => callApi<typeof CreatePattern>("POST", path, { body }),
    queryKeys: [patternsOptions.queryKey],
    texts: { failed: messages.failedToCreatePattern, replyLost: messages.patternReplyLost },
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
    revoke: () => callApi<typeof DeletePattern>("DELETE", "/api/patterns/:id", { params: { id } }),
    remove() {
      onRevoked();
      queryClient.setQueryData(patternsOptions.queryKey, (all) =>
        all?.filter((each) => each.id !== id),
      );
    },
    queryKeys: [patternsOptions.queryKey],
    texts: { revoked: messages.patternRevoked, revokedBefore: messages.patternRevokedBefore },
  });
}
