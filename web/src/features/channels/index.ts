export { channelOfAll, channelsOptions, channelTag, findChannel, useChannels } from "./api.ts";
export {
  type ChannelChoice,
  ChannelFields,
  ChannelSelect,
  NO_CHANNEL_CHOICE,
  useHasChannelChoice,
} from "./channel-fields.tsx";
export { fallbackOf, fallbackText } from "./fallback-field.ts";
export { oneLinkStoresOptions } from "./onelink-stores.ts";
export { TagNote, tagRemark } from "./tag-note.tsx";
