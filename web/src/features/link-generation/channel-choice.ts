import type { QueryClient } from "@tanstack/react-query";
import type { Channel } from "@tapthru/proto/http/channels";
import * as z from "zod/mini";
import type { ChannelChoice } from "../../components/channel-fields.tsx";
import { channelsOptions, findChannel } from "../../lib/channels.ts";

const STORAGE_KEY = "channels_of_new_links";
const MAX_ACCOUNTS = 10;

/** Ids of channels are unique: each choice is that of the account that has the channel. */
const Choices = z.array(z.object({ channelId: z.int(), usesChannelTag: z.boolean() }));

function readChoices(): z.infer<typeof Choices> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return z.safeParse(Choices, stored).data ?? [];
  } catch {
    return [];
  }
}

/** Whether a user of this browser has chosen a channel for new links. */
export const hasChannelChoice = () => readChoices().length > 0;

/** What the user with these channels chose last for new links, in this browser. */
export function rememberedChannelChoice(channels: readonly Channel[]): ChannelChoice | undefined {
  for (const { channelId, usesChannelTag } of readChoices()) {
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
    localStorage.setItem(STORAGE_KEY, JSON.stringify(choices));
  } catch {
    // Storage may be forbidden. The channel must then be chosen again.
  }
}

/** Waits for the channels of the user, if anything was chosen. */
export async function findChannelChoice(
  queryClient: QueryClient,
): Promise<ChannelChoice | undefined> {
  if (!hasChannelChoice()) return undefined;
  const channels = await queryClient.ensureQueryData(channelsOptions).catch(() => []);
  return rememberedChannelChoice(channels);
}
