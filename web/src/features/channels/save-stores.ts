import { useMutation, useQueryClient } from "@tanstack/react-query";
import { tag as tagSchema } from "@tapthru/proto/fields";
import type { StoreTag } from "@tapthru/proto/stores";
import * as z from "zod/mini";
import { callApi } from "../../lib/http/call-api.ts";
import { errorText } from "../../lib/http/http-client.ts";
import { refreshAfter } from "../../lib/link-lists.ts";

/** Saves the valid changes of a channel; an empty tag is removed. Returns the others, and those that failed. */
export function useSaveStores(channelId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    // Later changes follow earlier ones.
    scope: { id: "stores" },
    mutationFn: async (changes: readonly StoreTag[]) => {
      const results = await Promise.all(changes.map((change) => save(channelId, change)));
      return results.filter((result) => result !== null);
    },
    onSettled: () => refreshAfter(queryClient, "PUT /api/channels/:id/tags"),
  });
}

async function save(channelId: number, change: StoreTag) {
  const problem = change.tag !== "" ? tagProblem(change.tag) : undefined;
  if (problem !== undefined) return { change, message: problem };
  try {
    await send(channelId, change);
    return null;
  } catch (error) {
    return { change, message: errorText(error, "Not saved. Please try again.") };
  }
}

const tagProblem = (tag: string) => z.safeParse(tagSchema, tag).error?.issues[0]?.message;

async function send(channelId: number, { marketplace, tag }: StoreTag): Promise<void> {
  const id = String(channelId);
  if (tag === "") await callApi("DELETE /api/channels/:id/tags/:marketplace", { params: { id, marketplace } });
  else await callApi("PUT /api/channels/:id/tags", { params: { id }, body: { marketplace, tag } });
}
