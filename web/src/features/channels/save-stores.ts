import { useMutation, useQueryClient } from "@tanstack/react-query";
import { tag as tagSchema } from "@tapthru/proto/fields";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import * as z from "zod/mini";
import { callApi } from "../../lib/http/call-api.ts";
import { errorText } from "../../lib/http/http-client.ts";
import { refreshAfter } from "../../lib/link-lists.ts";
import { channelsOptions, oneLinkStoresOptions } from "./api.ts";

/** A channel's tag in a store, which is removed if it is empty, or whether OneLink serves the store. */
export type StoreChange = { marketplace: Marketplace; tag: string } | { marketplace: OneLinkStore; served: boolean };

interface FailedChange {
  change: StoreChange;
  message: string;
}

/** Saves the valid changes of a channel. Returns the others, and those that failed. */
export function useSaveStores(channelId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    // Later changes follow earlier ones.
    scope: { id: "stores" },
    mutationFn: async (changes: readonly StoreChange[]) => {
      const results = await Promise.all(changes.map((change) => save(channelId, change)));
      return results.filter((result) => result !== null);
    },
    async onSettled() {
      await Promise.all([
        queryClient.invalidateQueries(channelsOptions),
        queryClient.invalidateQueries(oneLinkStoresOptions),
      ]);
      // Links have the new tags too.
      void refreshAfter(queryClient, "PUT /api/channels/:id/tags");
    },
  });
}

async function save(channelId: number, change: StoreChange): Promise<FailedChange | null> {
  const problem = "tag" in change && change.tag !== "" ? tagProblem(change.tag) : undefined;
  if (problem !== undefined) return { change, message: problem };
  try {
    await send(channelId, change);
    return null;
  } catch (error) {
    return { change, message: errorText(error, "Not saved. Please try again.") };
  }
}

const tagProblem = (tag: string) => z.safeParse(tagSchema, tag).error?.issues[0]?.message;

async function send(channelId: number, change: StoreChange): Promise<void> {
  const id = String(channelId);
  const { marketplace } = change;
  if ("served" in change) {
    await callApi("PUT /api/onelink-stores", { body: change });
  } else if (change.tag !== "") {
    await callApi("PUT /api/channels/:id/tags", { params: { id }, body: change });
  } else {
    await callApi("DELETE /api/channels/:id/tags/:marketplace", { params: { id, marketplace } });
  }
}
