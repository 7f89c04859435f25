import type { ChannelTags, LinkChannel } from "@tapthru/core/links/channel-tags";
import type { TagSource } from "@tapthru/proto/http/links";
import { ApiError } from "../errors.ts";

export interface TagChoice {
  /** Null: the user's default channel. Undefined: the link's stays. */
  channelId?: number | null | undefined;
  /** Also replaces the owner's tag by that of the channel, where it has one. */
  usesChannelTag?: boolean | undefined;
  tagSource?: TagSource | undefined;
}

interface TaggedLink extends LinkChannel {
  marketplace: string;
}

interface TagPlan extends LinkChannel {
  /** For the addresses; null: they stay. */
  newTag: string | null;
}

/** The channel and tag of a link after a choice of its owner. */
export function planTag(
  link: TaggedLink,
  { channelId, usesChannelTag = false, tagSource }: TagChoice,
  channels: ChannelTags,
): TagPlan | ApiError {
  const own = { channelId: link.channelId, channelTag: null, newTag: null };
  if (tagSource === "own") return own;
  const chosen = channelId === undefined ? link.channelId : channelId;
  const tag = channels.tagOf(chosen, link.marketplace);
  const isFollower = link.channelTag !== null || usesChannelTag || tagSource === "channel";
  if (isFollower && tag !== undefined) {
    const channel = { channelId: chosen ?? channels.defaultId, channelTag: tag };
    return { ...channel, newTag: tag === link.channelTag ? null : tag };
  }
  if (tagSource === "channel") return new ApiError("channel-has-no-tag");
  return { ...own, channelId: chosen };
}
