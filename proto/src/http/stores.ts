import * as z from "zod/mini";
import type { Call } from "./call.ts";
import { tag } from "./fields.ts";
import { marketplace } from "./marketplace.ts";

/** The user's affiliate tag in one Amazon store. */
export const StoreTag = z.strictObject({ marketplace, tag });
export type StoreTag = z.infer<typeof StoreTag>;

/** The user's tags, one for each store for which they saved one. */
export const listStoreTags = {
  method: "GET",
  path: "/api/stores",
  replies: { 200: z.array(StoreTag) },
} as const satisfies Call;

/** Saves the user's tag for one store, and leaves those of other stores unchanged. */
export const saveStoreTag = {
  method: "PUT",
  path: "/api/stores",
  body: StoreTag,
  replies: { 200: StoreTag },
} as const satisfies Call;
