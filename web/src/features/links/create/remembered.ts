import type { QueryClient } from "@tanstack/react-query";
import type { Channel } from "@tapthru/proto/channels";
import { addTag } from "@tapthru/proto/rules/amazon/add-tag";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { httpErrorOf } from "../../../lib/http/http-client.ts";
import { CHANNELS_KEY, readText, writeText } from "../../../lib/stored-texts.ts";
import { type ChannelChoice, channelsOptions, findChannel } from "../../channels/index.ts";
import { parseStoredTags } from "../tags/stored-tags.ts";

const MAX_ACCOUNTS = 10;

/** Ids of channels are unique: each choice is that of the account that has the channel. */
interface StoredChoice extends ChannelChoice {
  channelId: number;
}

const parseChoices = (stored: string | null): StoredChoice[] => JSON.parse(stored ?? "[]");

/** Returns the last choice of the user with these channels for new links in this browser, else the tag of the default channel if it has one. */
export function usualChannel(
  channels: readonly Channel[],
  stored: string | null = readText(CHANNELS_KEY),
): ChannelChoice | undefined {
  for (const { channelId, usesChannelTag } of parseChoices(stored)) {
    const channel = findChannel(channels, channelId);
    if (channel) return { channelId: channel.isDefault ? null : channelId, usesChannelTag };
  }
  const hasTag = channels.some(({ isDefault, tags }) => isDefault && tags.length > 0);
  return hasTag ? { channelId: null, usesChannelTag: true } : undefined;
}

export function rememberChannel(channels: readonly Channel[], choice: ChannelChoice): void {
  const channel = findChannel(channels, choice.channelId);
  if (!channel) return;
  const others = parseChoices(readText(CHANNELS_KEY)).filter(({ channelId }) => !findChannel(channels, channelId));
  const choices = [{ ...choice, channelId: channel.id }, ...others].slice(0, MAX_ACCOUNTS);
  writeText(CHANNELS_KEY, JSON.stringify(choices));
}

/** Waits for the channels of the user. Throws if they cannot be loaded and one was chosen. Undefined if the api does not know the user yet. */
export async function findUsualChannel(
  queryClient: QueryClient,
  stored: string | null,
): Promise<ChannelChoice | undefined> {
  try {
    return usualChannel(await queryClient.ensureQueryData(channelsOptions), stored);
  } catch (error) {
    if (httpErrorOf(error)?.status === 401) return undefined;
    // The default channel needs no list.
    if (stored === null) return { channelId: null, usesChannelTag: true };
    throw error;
  }
}

export function addStoredTag(url: string, stored: string | null): string {
  const store = parseStorePage(url)?.marketplace;
  const known = parseStoredTags(stored).find(({ marketplace }) => marketplace === store);
  return (known && addTag(url, known.tag)) ?? url;
}
