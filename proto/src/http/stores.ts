import * as z from "zod/mini";
import { ONELINK_STORES } from "../rules/amazon/onelink.ts";
import type { Call } from "./call.ts";
import { marketplace, tag } from "./fields.ts";

/** The user's affiliate tag in one Amazon store. */
export const StoreTag = z.strictObject({ marketplace, tag });
export type StoreTag = z.infer<typeof StoreTag>;

/** The user's tags, one for each store for which they saved one. */
export const listStoreTags = {
  method: "GET",
  path: "/api/stores",
  access: "links:read",
  replies: { 200: z.array(StoreTag) },
} as const satisfies Call;

/** Saves the user's tag for one store, and leaves those of other stores unchanged. */
export const saveStoreTag = {
  method: "PUT",
  path: "/api/stores",
  access: "links:write",
  body: StoreTag,
  replies: { 200: StoreTag },
} as const satisfies Call;

/** Removes the user's tag for one store, if there is one. */
export const deleteStoreTag = {
  method: "DELETE",
  path: "/api/stores/:marketplace",
  access: "links:write",
  params: z.object({ marketplace }),
  replies: { 200: z.object({ marketplace }) },
} as const satisfies Call;

export const oneLinkStore = z.enum(ONELINK_STORES);

/** The stores in which Amazon OneLink pays the user's tag of amazon.com, as the user said. */
export const listOneLinkStores = {
  method: "GET",
  path: "/api/onelink-stores",
  access: "links:read",
  replies: { 200: z.array(oneLinkStore) },
} as const satisfies Call;

const OneLinkChoice = z.strictObject({ marketplace: oneLinkStore, served: z.boolean() });

/** Saves whether OneLink serves one store, and leaves the others unchanged. */
export const saveOneLinkStore = {
  method: "PUT",
  path: "/api/onelink-stores",
  access: "links:write",
  body: OneLinkChoice,
  replies: { 200: OneLinkChoice },
} as const satisfies Call;
