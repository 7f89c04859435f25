import * as z from "zod/mini";
import { resource } from "./call.ts";
import { marketplace, StoreTag } from "./fields.ts";
import { notFound, tagInOtherChannel } from "./general-errors.ts";
import { ONELINK_STORES } from "./rules/amazon/onelink.ts";

const stores = resource("Stores", { reads: "links:read", writes: "links:write" });

export const listStoreTags = stores.get("/api/stores", {
  summary: "List affiliate tags",
  description: "One for each store for which the user saved one.",
  replies: { 200: z.array(StoreTag) },
});

export const saveStoreTag = stores.put("/api/stores", {
  summary: "Save the affiliate tag of a store",
  description: "The tags of other stores remain unchanged.",
  body: StoreTag,
  replies: { 200: StoreTag },
  errors: [tagInOtherChannel],
  records: "channel-tag.created",
  stale: "all",
});

export const deleteStoreTag = stores.delete("/api/stores/:marketplace", {
  summary: "Remove the affiliate tag of a store",
  description: "Also succeeds if the user saved no tag for this store.",
  params: z.object({ marketplace }),
  replies: { 200: z.object({ marketplace }) },
  errors: [notFound],
  records: "channel-tag.deleted",
  stale: "all",
});

export const oneLinkStore = z.enum(ONELINK_STORES);

export const listOneLinkStores = stores.get("/api/onelink-stores", {
  summary: "List the stores that OneLink serves",
  description:
    "The stores in which Amazon OneLink pays the user's tag of amazon.com, as the user said. Amazon is not contacted.",
  replies: { 200: z.array(oneLinkStore) },
});

const OneLinkChoice = z.strictObject({ marketplace: oneLinkStore, served: z.boolean() });

export const saveOneLinkStore = stores.put("/api/onelink-stores", {
  summary: "Save whether OneLink serves a store",
  description: "For stores in which Amazon OneLink can pay a tag of amazon.com. The other stores remain unchanged.",
  body: OneLinkChoice,
  replies: { 200: OneLinkChoice },
  records: "onelink-store.created",
  stale: ["Links"],
});
