import { useMutation, useQueryClient } from "@tanstack/react-query";
import { tag as tagSchema } from "@tapthru/proto/http/fields";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { messages } from "@tapthru/proto/rules/messages";
import * as z from "zod/mini";
import { callApi } from "../../lib/http/call-api.ts";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { oneLinkStoresOptions, storeTagsOptions } from "../tags/store-tags.ts";

/** A store's tag, which is removed if it is empty, or whether OneLink serves the store. */
export type StoreChange =
  | { marketplace: Marketplace; tag: string }
  | { marketplace: OneLinkStore; served: boolean };

interface FailedChange {
  change: StoreChange;
  message: string;
}

/** Saves the valid changes. Returns the others, and those that failed. */
export function useSaveStores() {
  const queryClient = useQueryClient();
  return useMutation({
    // Later changes follow earlier ones.
    scope: { id: "stores" },
    mutationFn: async (changes: readonly StoreChange[]) => {
      const results = await Promise.all(changes.map(save));
      return results.filter((result) => result !== null);
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries(storeTagsOptions),
        queryClient.invalidateQueries(oneLinkStoresOptions),
      ]),
  });
}

async function save(change: StoreChange): Promise<FailedChange | null> {
  const problem = "tag" in change && change.tag !== "" ? tagProblem(change.tag) : undefined;
  if (problem !== undefined) return { change, message: problem };
  try {
    await send(change);
    return null;
  } catch (error) {
    const refusal = httpErrorOf(error);
    const message = refusal?.status === 422 ? refusal.text : messages.failedToSaveTag;
    return { change, message };
  }
}

const tagProblem = (tag: string) => z.safeParse(tagSchema, tag).error?.issues[0]?.message;

async function send(change: StoreChange): Promise<void> {
  const { marketplace } = change;
  if ("served" in change) {
    await callApi("PUT", "/api/onelink-stores", { body: change });
  } else if (change.tag !== "") {
    await callApi("PUT", "/api/stores", { body: change });
  } else {
    const params = { marketplace };
    await callApi("DELETE", "/api/stores/:marketplace", { params });
  }
}
