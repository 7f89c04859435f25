import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Channel } from "@tapthru/proto/channels";
import { StoreTag } from "@tapthru/proto/stores";
import * as z from "zod/mini";
import { channelsOptions } from "../../lib/channels.ts";
import { callApi } from "../../lib/http/call-api.ts";

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

interface NewChannelTag extends StoreTag {
  channel: Channel;
}

/** Saves a tag of a channel. @returns false after a failure, which is only logged: the link is created all the same */
export function useSaveChannelTag() {
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn({ channel, ...body }: NewChannelTag) {
      const params = { id: String(channel.id) };
      try {
        await callApi("PUT", "/api/channels/:id/tags", { params, body });
        return true;
      } catch (error) {
        console.warn("Failed to save the tag:", error);
        return false;
      }
    },
    onSuccess: () => queryClient.invalidateQueries(channelsOptions),
  });
}
