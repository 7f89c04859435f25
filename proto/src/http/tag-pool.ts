import * as z from "zod/mini";
import { POOL_TAGS_AT_ONCE_MAX_COUNT } from "../rules/limits.ts";
import { messages } from "../rules/messages.ts";
import type { Call } from "./call.ts";
import { marketplace, numberText, tag } from "./fields.ts";

/**
 * `used`: a link took it or has it in its address. `retired`: a link had it; Amazon's reports still name it, so no other link
 * takes it.
 */
export const POOL_TAG_STATES = ["free", "used", "retired"] as const;

/** A tracking id that one link alone can have. */
export const PoolTag = z.object({
  id: z.int(),
  marketplace,
  tag: z.string(),
  state: z.enum(POOL_TAG_STATES),
  /** Of the link that has it; null unless it is used. */
  shortCode: z.nullable(z.string()),
});
export type PoolTag = z.infer<typeof PoolTag>;

/** The user's tracking ids, by store, free ones first. */
export const listPoolTags = {
  method: "GET",
  path: "/api/pool-tags",
  replies: { 200: z.array(PoolTag) },
} as const satisfies Call;

/** Adds tracking ids that the user created at Amazon. Ids that the user has in the pool or in a channel are left out. */
export const addPoolTags = {
  method: "POST",
  path: "/api/pool-tags",
  body: z.strictObject({
    marketplace,
    tags: z.array(tag).check(z.minLength(1), z.maxLength(POOL_TAGS_AT_ONCE_MAX_COUNT)),
  }),
  replies: { 200: z.object({ addedCount: z.int() }) },
} as const satisfies Call;

/** Removes a tracking id that is free or retired. 409: a link has it. */
export const deletePoolTag = {
  method: "DELETE",
  path: "/api/pool-tags/:id",
  params: z.object({ id: numberText(/^\d{1,9}$/, messages.poolTagNotFound) }),
  replies: { 200: z.object({ id: z.int() }) },
} as const satisfies Call;
