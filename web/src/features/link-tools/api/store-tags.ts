import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { listStoreTags, StoreTag, saveStoreTag } from "@tapthru/proto/http/stores";
import { callApi } from "../../../lib/http/call-api.ts";
import { isRetryable } from "../../../lib/http/http-client.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";

const PATH = "/api/stores";
const RETRIES = 1;

/** The tags in the user's account. */
export const storeTagsOptions = queryOptions({
  queryKey: [PATH],
  queryFn: ({ signal }) => callApi<typeof listStoreTags>("GET", PATH, { signal }),
  staleTime: 0,
  retry: (failures, error) => failures < RETRIES && isRetryable(error),
});

/** Saves a tag in the user's account. A failure is only logged: the link is created all the same. */
export function useSaveStoreTag() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: StoreTag) => callApi<typeof saveStoreTag>("PUT", PATH, { body }),
    retry: (failures, error) => failures < RETRIES && isRetryable(error),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [PATH] }),
    onError: (error) => console.warn("Failed to save the tag:", error),
  });
}
