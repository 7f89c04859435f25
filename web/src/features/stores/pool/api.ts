import { useQueryClient } from "@tanstack/react-query";
import type { PoolTag } from "@tapthru/proto/http/tag-pool";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { POOL_TAGS_AT_ONCE_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { useRevocation } from "../../../components/revocable-items/use-revocation.ts";
import { useToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { httpErrorOf } from "../../../lib/http/http-client.ts";
import { poolTagsOptions } from "../../../lib/pool-tags.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";

interface NewTags {
  marketplace: Marketplace;
  tags: readonly string[];
}

/** Adds tracking ids; those that the user has are left out. */
export function useAddPoolTags(onFailed: (message: string) => void) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useSingleMutation({
    async mutationFn({ marketplace, tags }: NewTags) {
      let count = 0;
      for (let start = 0; start < tags.length; start += POOL_TAGS_AT_ONCE_MAX_COUNT) {
        const { addedCount } = await callApi("POST", "/api/pool-tags", {
          body: { marketplace, tags: tags.slice(start, start + POOL_TAGS_AT_ONCE_MAX_COUNT) },
        });
        count += addedCount;
      }
      return count;
    },
    onSuccess: (count, { tags }) =>
      void toast({ description: messages.poolTagsAdded(count, tags.length - count) }),
    onError(error) {
      const refusal = httpErrorOf(error);
      const isUsers = refusal?.status === 409 || refusal?.status === 422;
      onFailed(isUsers ? refusal.text : messages.failedToAddPoolTags);
    },
    onSettled: () => queryClient.invalidateQueries(poolTagsOptions),
  });
}

/** @param onRemoved called once the tracking id is no longer in the list */
export function useRemovePoolTag({ id }: PoolTag, onRemoved: () => void) {
  const queryClient = useQueryClient();
  const { queryKey } = poolTagsOptions;
  return useRevocation({
    revoke: () => callApi("DELETE", "/api/pool-tags/:id", { params: { id: String(id) } }),
    remove() {
      onRemoved();
      queryClient.setQueryData(queryKey, (tags) => tags?.filter((each) => each.id !== id));
    },
    queryKeys: [queryKey],
    texts: { revoked: messages.poolTagRemoved, revokedBefore: messages.poolTagRemovedBefore },
  });
}
