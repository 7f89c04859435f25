import { CHANNEL_NAME_MAX_LENGTH } from "../limits.ts";

export const channelNameRequired = "Enter a name for the channel.";
export const channelNameTooLong = `Use at most ${CHANNEL_NAME_MAX_LENGTH} characters.`;
export const channelNotFound = "Channel not found.";
export const channelTaken = "You have a channel with this name.";
export const tooManyChannels = "You have as many channels as possible.";
export const defaultChannelFixed = "This is your default channel. Make another one the default first.";
export const tagInOtherChannel = "Another of your channels has this tag.";
export const channelHasNoTag = "The channel has no tag for this store.";
