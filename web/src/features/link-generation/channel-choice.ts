import type { QueryClient } from "@tanstack/react-query";
import type { Channel } from "@tapthru/proto/channels";
import type { ChannelChoice } from "../../components/channel-fields.tsx";
import { channelsOptions, findChannel } from "../../lib/channels.ts";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { CHANNELS_KEY, storedChannels } from "./stored-channels.ts";

const MAX_ACCOUNTS = 10;

/** Ids of channels are unique: each choice is that of the account that has the channel. */
interface StoredChoice extends ChannelChoice {
  channelId: number;
}

/** @param stored by `storedChannels` */
function readChoices(stored = storedChannels()): StoredChoice[] {
  return JSON.parse(stored ?? "[]");
}

/** Whether a user of this browser has chosen a channel for new links. */
export const hasChannelChoice = () => readChoices().length > 0;

/** What the user with these channels chose last for new links, in this browser. */
export function rememberedChannelChoice(channels: readonly Channel[], stored?: string): ChannelChoice | undefined {
  for (const { channelId, usesChannelTag } of readChoices(stored)) {
    const channel = findChannel(channels, channelId);
    if (channel) return { channelId: channel.isDefault ? null : channelId, usesChannelTag };
  }
  return undefined;
}

export function rememberChannelChoice(channels: readonly Channel[], choice: ChannelChoice): void {
  const channel = findChannel(channels, choice.channelId);
  if (!channel) return;
  const others = readChoices().filter(({ channelId }) => !findChannel(channels, channelId));
  const choices = [{ ...choice, channelId: channel.id }, ...others].slice(0, MAX_ACCOUNTS);
  try {
    localStorage.setItem(CHANNELS_KEY, JSON.stringify(choices));
  } catch {
    // Storage may be forbidden. The channel must then be chosen again.
  }
}

/**
 * Waits for the channels of the user, and throws if they cannot be loaded.
 * @param stored by `storedChannels`
 */
export async function findChannelChoice(queryClient: QueryClient, stored: string): Promise<ChannelChoice | undefined> {
  try {
    return rememberedChannelChoice(await queryClient.ensureQueryData(channelsOptions), stored);
  } catch (error) {
    // Guests have no channels.
    if (httpErrorOf(error)?.status === 401) return undefined;
    throw error;
  }
}
