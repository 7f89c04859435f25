import * as z from "zod/mini";
import { messages } from "../rules/messages.ts";
import type { Call } from "./call.ts";
import { channelName, fallbackUrl, marketplace, numberText } from "./fields.ts";
import { StoreTag } from "./stores.ts";

/** Where a user publishes links, such as Instagram or a blog, with a tag in each store. */
export const Channel = z.object({
  id: z.int(),
  name: z.string(),
  /** Also the channel of links without one. Each user has one. */
  isDefault: z.boolean(),
  /** By marketplace. */
  tags: z.array(StoreTag),
  /** What its links open once they have expired or their product is gone, unless they have one themselves. */
  fallbackUrl: z.nullable(z.string()),
  /** Links that have this channel themselves. */
  linkCount: z.int(),
});
export type Channel = z.infer<typeof Channel>;

/** The user's channels: the default first, the others by name. */
export const listChannels = {
  method: "GET",
  path: "/api/channels",
  access: "links:read",
  replies: { 200: z.array(Channel) },
} as const satisfies Call;

/** Names that differ in case only are the same. 409: the user has a channel with this name, or CHANNELS_MAX_COUNT. */
export const createChannel = {
  method: "POST",
  path: "/api/channels",
  access: "links:write",
  body: z.strictObject({ name: channelName, fallbackUrl: z.optional(fallbackUrl) }),
  replies: { 201: Channel },
} as const satisfies Call;

const params = z.object({ id: numberText(/^\d{1,9}$/, messages.channelNotFound) });

/** Renames the channel, makes it the default, or changes its fallback (null: none). */
export const updateChannel = {
  method: "PATCH",
  path: "/api/channels/:id",
  access: "links:write",
  params,
  body: z
    .strictObject({
      name: z.optional(channelName),
      isDefault: z.optional(z.literal(true)),
      fallbackUrl: z.optional(z.nullable(fallbackUrl)),
    })
    .check(z.refine((change) => Object.keys(change).length > 0)),
  replies: { 200: Channel },
} as const satisfies Call;

/** Deletes the channel, if there is one. Its links keep their tags, and use the default channel. 409: it is the default. */
export const deleteChannel = {
  method: "DELETE",
  path: "/api/channels/:id",
  access: "links:write",
  params,
  replies: { 200: z.object({ id: z.int() }) },
} as const satisfies Call;

/**
 * Saves the channel's tag in one store. Links whose tag is the channel's get the new one within about a second for each 10,000
 * links. 409: another channel of the user has the tag.
 */
export const saveChannelTag = {
  method: "PUT",
  path: "/api/channels/:id/tags",
  access: "links:write",
  params,
  body: StoreTag,
  replies: { 200: StoreTag },
} as const satisfies Call;

/** Removes the channel's tag in one store, if there is one. Links keep the tag that they have. */
export const deleteChannelTag = {
  method: "DELETE",
  path: "/api/channels/:id/tags/:marketplace",
  access: "links:write",
  params: z.extend(params, { marketplace }),
  replies: { 200: z.object({ marketplace }) },
} as const satisfies Call;
