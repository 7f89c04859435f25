import { useQueryClient } from "@tanstack/react-query";
import { StoreTag } from "@tapthru/proto/http/stores";
import * as z from "zod/mini";
import { callApi } from "../../lib/http/call-api.ts";
import { retryUpTo } from "../../lib/http/query-presets.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";
import { storeTagsOptions } from "./store-tags.ts";

const STORAGE_KEY = "store_tags";

/** The tags that a guest added to links, one for each store. */
export function readStoredTags(): StoreTag[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return z.safeParse(z.array(StoreTag), stored).data ?? [];
  } catch {
    return [];
  }
}

export function saveTagInBrowser(added: StoreTag): void {
  const others = readStoredTags().filter(({ marketplace }) => marketplace !== added.marketplace);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([...others, added]));
  } catch {
    // Storage may be forbidden. The tag must then be entered again.
  }
}

/** Saves a tag in the user's account. A failure is only logged: the link is created all the same. */
export function useSaveStoreTag() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: StoreTag) => callApi("PUT", "/api/stores", { body }),
    retry: retryUpTo(1),
    onSuccess: () => queryClient.invalidateQueries(storeTagsOptions),
    onError: (error) => console.warn("Failed to save the tag:", error),
  });
}
