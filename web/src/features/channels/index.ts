export { channelsOptions, channelTag, findChannel, oneLinkStoresOptions, useChannels } from "./api.ts";
export {
  type ChannelChoice,
  ChannelFields,
  ChannelSelect,
  NO_CHANNEL_CHOICE,
  useHasChannelChoice,
} from "./channel-fields.tsx";
export { savedText, useSaveStores } from "./save-stores.ts";
export { TagNote, tagRemark } from "./tag-note.tsx";
