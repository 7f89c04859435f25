import type * as channelsCalls from "../http/channels.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { EXAMPLE_CHANNEL } from "./example-values.ts";

const { id, name } = EXAMPLE_CHANNEL;
const params = { id: String(id) };
const STORE_TAG = { marketplace: "de", tag: "anna-21" } as const;

export const channelsDocumentation: DocumentationOf<typeof channelsCalls> = {
  listChannels: {
    tag: "Channels",
    summary: "List channels",
    description:
      "A channel is where a user publishes links, such as Instagram or a blog, with a tag in each store. The default channel comes first; it is also that of links without a channel.",
    errors: [],
    example: { replies: { 200: [EXAMPLE_CHANNEL] } },
  },
  createChannel: {
    tag: "Channels",
    summary: "Create a channel",
    description: "Names are unique for a user; names that differ in case only are the same.",
    errors: ["channel-taken", "too-many-channels"],
    example: { body: { name }, replies: { 201: { ...EXAMPLE_CHANNEL, tags: [], linkCount: 0 } } },
  },
  updateChannel: {
    tag: "Channels",
    summary: "Change a channel",
    description:
      "Renames the channel, makes it the default, or changes its `fallbackUrl`: the page of an Amazon store that opens, with the tag of the channel, in place of a link that has expired or whose product is gone (null: none).",
    errors: ["channel-not-found", "channel-taken"],
    example: { params, body: { name }, replies: { 200: EXAMPLE_CHANNEL } },
  },
  deleteChannel: {
    tag: "Channels",
    summary: "Delete a channel",
    description:
      "Its links keep their tags, and use the default channel. Also succeeds if the user has no such channel.",
    errors: ["default-channel"],
    example: { params, replies: { 200: { id } } },
  },
  saveChannelTag: {
    tag: "Channels",
    summary: "Save the tag of a channel in a store",
    description:
      "Links whose tag is that of the channel get the new one, within about a second for each 10,000 links. A tag belongs to one channel of a user.",
    errors: ["channel-not-found", "tag-in-other-channel"],
    example: { params, body: STORE_TAG, replies: { 200: STORE_TAG } },
  },
  deleteChannelTag: {
    tag: "Channels",
    summary: "Remove the tag of a channel in a store",
    description:
      "Links keep the tag that they have. Also succeeds if the channel has no tag in this store.",
    errors: ["channel-not-found", "not-found"],
    example: {
      params: { ...params, marketplace: "de" },
      replies: { 200: { marketplace: "de" } },
    },
  },
};
