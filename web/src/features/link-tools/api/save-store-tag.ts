import { useQueryClient } from "@tanstack/react-query";
import type { StoreTag, saveStoreTag } from "@tapthru/proto/http/stores";
import { callApi } from "../../../lib/http/call-api.ts";
import { isRetryable } from "../../../lib/http/http-client.ts";
import { storeTagsOptions } from "../../../lib/store-tags.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";

const RETRIES = 1;

/** Saves a tag in the user's account. A failure is only logged: the link is created all the same. */
export function useSaveStoreTag() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: StoreTag) => callApi<typeof saveStoreTag>("PUT", "/api/stores", { body }),
    retry: (failures, error) => failures < RETRIES && isRetryable(error),
    onSuccess: () => queryClient.invalidateQueries(storeTagsOptions),
    onError: (error) => console.warn("Failed to save the tag:", error),
  });
}
