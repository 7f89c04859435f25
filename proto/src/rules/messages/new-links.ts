// Not in all.ts, which is in the first script.

/** The channel of links that are created on a page. @param channel null: the user has only one */
export const channelOfPastedLinks = (channel: string | null, usesTag: boolean) => {
  if (channel === null) {
    return usesTag ? "New links without a tag get yours." : "New links keep the tag they have.";
  }
  return usesTag
    ? `New links are for ${channel}. Those without a tag get its tag.`
    : `New links are for ${channel}. They keep the tag they have.`;
};
export const changeChannel = "Change";
export const closeChannelChoice = "Close";
export const channelTagMissing = "It has no tag: the channel has none for this store.";
