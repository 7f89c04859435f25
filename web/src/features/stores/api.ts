import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { callApi } from "../../lib/http/call-api.ts";
import { oneLinkStoresOptions, storeTagsOptions } from "../tags/store-tags.ts";

/**
 * Saves the tag of a store, or removes it. The variable is the tag; null removes it. Changes of one store follow each
 * other. They are sent even if the page is closing.
 */
export function useChangeStoreTag(marketplace: Marketplace) {
  const queryClient = useQueryClient();
  const { queryKey } = storeTagsOptions;
  return useMutation({
    scope: { id: `tag for ${marketplace}` },
    async mutationFn(tag: string | null) {
      if (tag !== null) {
        const body = { marketplace, tag };
        await callApi("PUT", "/api/stores", { body, keepalive: true });
      } else {
        const params = { marketplace };
        await callApi("DELETE", "/api/stores/:marketplace", {
          params,
          keepalive: true,
        });
      }
    },
    async onSuccess(_reply, tag) {
      // A list that was requested earlier lacks the change.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, (tags = []) => [
        ...tags.filter((each) => each.marketplace !== marketplace),
        ...(tag === null ? [] : [{ marketplace, tag }]),
      ]);
    },
  });
}

/** Saves whether OneLink serves a store. */
export function useSaveOneLinkStore(marketplace: OneLinkStore) {
  const queryClient = useQueryClient();
  const { queryKey } = oneLinkStoresOptions;
  return useMutation({
    mutationFn: (served: boolean) =>
      callApi("PUT", "/api/onelink-stores", {
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
