import { CHANNEL_NAME_MAX_LENGTH } from "../limits.ts";

export const channelNameRequired = "Enter a name for the channel.";
export const channelNameTooLong = `Use at most ${CHANNEL_NAME_MAX_LENGTH} characters.`;
export const channelNotFound = "Channel not found.";
export const channelTaken = "You have a channel with this name.";
export const tooManyChannels = "You have as many channels as possible.";
export const defaultChannelFixed = "This is your default channel. Make another one the default first.";
export const tagInOtherChannel = "Another of your channels has this tag.";
export const channelHasNoTag = "The channel has no tag for this store.";
export const experimentNotFound = "Experiment not found.";
export const experimentRunning =
  "The channel has an experiment, or what it adopted, for this store and system. End that first.";
export const sameTagOfArms = "Use another tracking ID than for the first half.";
export const tagInUse =
  "A tracking ID is in use, or was in an experiment of the last two days. Create a new one at Amazon.";
export const tooManyExperiments = "You have as many experiments as possible. Delete an old one first.";
