import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { saveOneLinkStore } from "@tapthru/proto/http/stores";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { callApi } from "../../../lib/http/call-api.ts";
import { oneLinkStoresOptions } from "../../../lib/store-tags.ts";

/** Saves whether OneLink serves a store. */
export function useSaveOneLinkStore(marketplace: OneLinkStore) {
  const queryClient = useQueryClient();
  const { queryKey } = oneLinkStoresOptions;
  return useMutation({
    mutationFn: (served: boolean) =>
      callApi<typeof saveOneLinkStore>("PUT", "/api/onelink-stores", {
        body: { marketplace, served },
      }),
    async onSuccess({ served }) {
      // A list that was requested earlier lacks the change.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, (stores = []) => [
        ...stores.filter((each) => each !== marketplace),
        ...(served ? [marketplace] : []),
      ]);
    },
  });
}
