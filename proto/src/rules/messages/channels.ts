import { CHANNEL_NAME_MAX_LENGTH } from "../limits.ts";

export const channelNameRequired = "Enter a name for the channel.";
export const channelNameTooLong = `Use at most ${CHANNEL_NAME_MAX_LENGTH} characters.`;
export const channelNotFound = "Channel not found.";
export const channelTaken = "You have a channel with this name.";
export const tooManyChannels = "You have as many channels as possible.";
export const defaultChannelFixed =
  "This is your default channel. Make another one the default first.";
export const tagInOtherChannel = "Another of your channels has this tag.";
export const channelHasNoTag = "The channel has no tag for this store.";

// The channels and their tags
export const channel = "Channel";
export const channelsText =
  "Make a channel for each place where you publish, such as Instagram or your blog, give it a tag in each store, and see what it earns. Links on a channel use its tags only if you say so. Those that do get the new tag when you change it.";
export const defaultChannelName = (name: string) => `${name} (default)`;
export const isDefaultChannel = (name: string) =>
  `${name} is the default: links for which you choose no channel are on it.`;
export const linksInChannel = (count: number) => (count === 1 ? "1 link" : `${count} links`);
export const newChannel = "New channel";
export const newChannelName = "Name of the channel";
export const channelName = "New name of the channel";
export const channelNameHint = "For example Instagram";
export const createChannel = "Create channel";
export const creatingChannel = "Creating...";
export const failedToCreateChannel = "Failed to create the channel. Please try again.";
export const channelReplyLost =
  "No reply arrived. If the channel is not in the list now, create it again.";
export const renameChannel = "Rename";
export const renameChannelOf = (name: string) => `Rename ${name}`;
export const channelFallback = "When links end";
export const channelFallbackOf = (name: string) => `When links end, of ${name}`;
export const channelFallbackHint =
  "It opens, with the channel's tag, once a link has expired or its product is gone. Leave it empty for none.";
export const makeDefaultChannel = "Make default";
export const channelChanged = "The channel was changed.";
export const failedToChangeChannel = "Failed to change the channel. Please try again.";
export const deleteChannel = "Delete";
export const deleteChannelOf = (name: string) => `Delete ${name}`;
export const deletingChannel = "Deleting...";
export const confirmDeleteChannel = (name: string) => `Delete the channel ${name}?`;
export const deleteChannelConsequence = (links: number) =>
  links === 0
    ? "It has no links."
    : `${links === 1 ? "1 link keeps its tag and uses" : `${links} links keep their tags and use`} the default channel.`;
export const channelDeleted = "The channel was deleted.";

// The channel and the tag of links
export const tagOfLinks = "Tag";
export const useChannelTag = "Use the channel's tag";
export const useChannelTagText =
  "Choosing a channel changes no tag. With this, links without a tag get the channel's tag of their store, if it has one, and follow it. Other tags stay.";
export const replaceTagsText =
  "Choosing a channel changes no tag. With this, the links get the channel's tag of their store, if it has one, and follow it. Their present tags are replaced.";
export const tagSourceTexts = {
  own: (channel: string) => `Your own tag. It stays when the tag of ${channel} changes.`,
  channel: (channel: string) => `The tag of ${channel}. It changes with the channel's tag.`,
};
export const takeChannelTag = (tag: string) => `Use the channel's tag: ${tag}`;
export const keepTag = "Keep this tag";
export const linkHasTag = (tag: string) => `The tag of this link is ${tag}.`;
export const channelOfLinkChanged = "The channel of this link was changed.";
export const failedToChangeTag = "Failed to change the tag. Please try again.";
export const channelTagStays = (tag: string) => `The channel's tag ${tag} stays as it is.`;
export const channelOfNewLinks = "Channel of new links";
export const channelOfImport = "Channel of the imported links";
/** The channel of the links of an import or a pattern. */
export const channelOfAll = (channel: string, usesTag: boolean) =>
  usesTag
    ? `Channel: ${channel}. Links without a tag get the channel's tag.`
    : `Channel: ${channel}`;
export const channelOfPattern = (name: string) => `Channel of ${name}`;
export const channelOfPatternLinks = "Channel of new links";
export const patternChannelChanged = "The channel of the link pattern was changed.";
export const channelOfLinks = (count: number) =>
  count === 1 ? "Channel of 1 link" : `Channel of ${count} links`;
export const channelOfLinksSet = "The channel is set.";
export const failedToSetChannel = "The channel could not be set for all links. Please try again.";
export const channelNotSet = (count: number) =>
  `${count === 1 ? "1 link was" : `${count} links were`} not changed.`;
