import * as z from "zod/mini";
import { resource } from "./call.ts";
import { marketplace, tag } from "./fields.ts";
import { notFound } from "./general-errors.ts";
import { ONELINK_STORES } from "./rules/amazon/onelink.ts";
import { error } from "./rules/error.ts";

export const StoreTag = z.strictObject({ marketplace, tag });
export type StoreTag = z.infer<typeof StoreTag>;

export const tagInOtherChannel = error("tag-in-other-channel", 409, "Another of your channels has this tag.");

const stores = resource("Stores", { reads: "links:read", writes: "links:write" });

const STORE_TAG = { marketplace: "de", tag: "anna-21" } as const;
const CHOICE = { marketplace: "de", served: true } as const;

export const listStoreTags = stores.get("/api/stores", {
  summary: "List affiliate tags",
  description: "One for each store for which the user saved one.",
  replies: { 200: z.array(StoreTag) },
  example: { replies: { 200: [STORE_TAG] } },
});

export const saveStoreTag = stores.put("/api/stores", {
  summary: "Save the affiliate tag of a store",
  description: "The tags of other stores remain unchanged.",
  body: StoreTag,
  replies: { 200: StoreTag },
  errors: [tagInOtherChannel],
  records: "channel-tag.created",
  stale: "all",
  example: { body: STORE_TAG, replies: { 200: STORE_TAG } },
});

export const deleteStoreTag = stores.delete("/api/stores/:marketplace", {
  summary: "Remove the affiliate tag of a store",
  description: "Also succeeds if the user saved no tag for this store.",
  params: z.object({ marketplace }),
  replies: { 200: z.object({ marketplace }) },
  errors: [notFound],
  records: "channel-tag.deleted",
  stale: "all",
  example: { params: { marketplace: "de" }, replies: { 200: { marketplace: "de" } } },
});

export const oneLinkStore = z.enum(ONELINK_STORES);

export const listOneLinkStores = stores.get("/api/onelink-stores", {
  summary: "List the stores that OneLink serves",
  description:
    "The stores in which Amazon OneLink pays the user's tag of amazon.com, as the user said. Amazon is not contacted.",
  replies: { 200: z.array(oneLinkStore) },
  example: { replies: { 200: ["de", "fr"] } },
});

const OneLinkChoice = z.strictObject({ marketplace: oneLinkStore, served: z.boolean() });

export const saveOneLinkStore = stores.put("/api/onelink-stores", {
  summary: "Save whether OneLink serves a store",
  description: "For stores in which Amazon OneLink can pay a tag of amazon.com. The other stores remain unchanged.",
  body: OneLinkChoice,
  replies: { 200: OneLinkChoice },
  records: "onelink-store.created",
  stale: ["Links"],
  example: { body: CHOICE, replies: { 200: CHOICE } },
});
