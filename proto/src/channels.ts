import * as z from "zod/mini";
import { resource } from "./call.ts";
import { channelName, fallbackUrl, inputs, marketplace, numberText, StoreTag, someField } from "./fields.ts";
import { notFound, tagInOtherChannel } from "./general-errors.ts";
import { error } from "./rules/error.ts";

export const Channel = z.object({
  id: z.int(),
  name: z.string(),
  /** Also the channel of links without one. Each user has one. */
  isDefault: z.boolean(),
  tags: z.array(StoreTag),
  /** The page that its links open once they have expired or their product is gone, unless they have their own. */
  fallbackUrl: z.nullable(z.string()),
  /** Links that have this channel themselves, up to 10,000. */
  linkCount: z.int(),
  /** Counts of links without a tag, up to 10,000, by store. Links without a channel belong to the default channel. */
  untagged: z.array(z.object({ marketplace, linkCount: z.int() })),
});
export type Channel = z.infer<typeof Channel>;

export const channelHasNoTag = error("channel-has-no-tag", 409, "The channel has no tag for this link.");
/** For all that creates links. The web app asks for it by default, Shlink's clients always. */
export const TAG_OF_NEW_LINKS =
  "A link keeps the tag that its address has. One without a tag gets that of its channel in its store, if there is one, and follows it, only with `usesChannelTag`.";

export const channelNotFound = error("channel-not-found", 404, "Channel not found.");
export const channelTaken = error("channel-taken", 409, "You have a channel with this name.");
export const defaultChannel = error(
  "default-channel",
  409,
  "This is your default channel. Make another one the default first.",
);
export const tooManyChannels = error("too-many-channels", 409, "You have the maximum number of channels.");

const channels = resource("Channels", { reads: "links:read", writes: "links:write" });

export const listChannels = channels.get("/api/channels", {
  summary: "List channels",
  description:
    "A channel is where a user publishes links, such as Instagram or a blog, with a tag in each store. The default channel comes first; it is also that of links without a channel. `linkCount` counts up to 10,000 links. `untagged` has how many of the channel's links to each store have no tag, and so earn nothing.",
  replies: { 200: z.array(Channel) },
});

export const createChannel = channels.post("/api/channels", {
  summary: "Create a channel",
  description: "Names are unique for a user; names that differ only in case are the same.",
  body: z.strictObject({ name: channelName, fallbackUrl: z.optional(fallbackUrl) }),
  replies: { 201: Channel },
  errors: [channelTaken, tooManyChannels],
  records: "channel.created",
});

const params = z.object({ id: numberText(/^\d{1,9}$/, channelNotFound.message) });

export const updateChannel = channels.patch("/api/channels/:id", {
  summary: "Change a channel",
  description:
    "Renames the channel, makes it the default, or changes its `fallbackUrl`: the page of an Amazon store that opens, with the tag of the channel, in place of a link that has expired or whose product is gone (null: none).",
  params,
  body: z
    .strictObject({
      name: z.optional(channelName),
      isDefault: z.optional(z.literal(true)),
      fallbackUrl: z.optional(z.nullable(fallbackUrl)),
    })
    .check(someField)
    .register(inputs, { also: { minProperties: 1 } }),
  stale: "all",
  replies: { 200: Channel },
  errors: [channelNotFound, channelTaken],
  records: "channel.changed",
});

export const deleteChannel = channels.delete("/api/channels/:id", {
  summary: "Delete a channel",
  description: "Its links keep their tags, and use the default channel. Also succeeds if the user has no such channel.",
  params,
  stale: "all",
  isFinal: true,
  replies: { 202: z.object({ id: z.int() }) },
  errors: [defaultChannel],
  records: "channel.deleted",
});

export const saveChannelTag = channels.put("/api/channels/:id/tags", {
  summary: "Save the tag of a channel in a store",
  description:
    "Links whose tag is that of the channel have the new one at once; webhooks do not receive each of them. `linkCount` says how many these are, up to 10,000. A tag belongs to one channel of a user.",
  params,
  body: StoreTag,
  stale: "all",
  replies: { 200: z.object({ ...StoreTag.shape, linkCount: z.int() }) },
  errors: [channelNotFound, tagInOtherChannel],
  records: "channel-tag.created",
});

export const deleteChannelTag = channels.delete("/api/channels/:id/tags/:marketplace", {
  summary: "Remove the tag of a channel in a store",
  description:
    "Links whose tag is that of the channel keep the last one until it has another in the store. Also succeeds if the channel has no tag in this store.",
  params: z.extend(params, { marketplace }),
  stale: "all",
  replies: { 200: z.object({ marketplace }) },
  errors: [channelNotFound, notFound],
  records: "channel-tag.deleted",
});
