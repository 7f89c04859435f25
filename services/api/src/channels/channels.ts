import { unrecorded } from "@tapthru/core/platform/audit-log";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { Channel } from "@tapthru/proto/http/channels";
import type { StoreTag } from "@tapthru/proto/http/stores";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { labelKey } from "@tapthru/proto/rules/labels";
import { CHANNELS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { lockUser } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";
import * as queries from "./queries.ts";

export type ChannelsDb = Db<"any" | "transaction">;
type Transaction = Db<"any" | "maybeOne" | "oneFirst" | "query">;

interface ChannelRef {
  userId: number;
  id: number;
}

export function createChannel(
  db: ChannelsDb,
  userId: number,
  { name, fallbackUrl = null }: { name: string; fallbackUrl?: string | undefined | null },
): Promise<Channel> {
  return changingChannels(db, userId, async (transaction, channels) => {
    requireFreeName(channels, name);
    if (channels.length >= CHANNELS_MAX_COUNT) throw new ApiError("too-many-channels");
    const id = await queries.insertChannel(transaction, { userId, name, fallbackUrl });
    return { id, name, isDefault: false, tags: [], fallbackUrl, linkCount: 0 };
  });
}

interface ChannelChange {
  name?: string | undefined;
  isDefault?: true | undefined;
  /** Null: none. */
  fallbackUrl?: string | null | undefined;
}

export function updateChannel(
  db: ChannelsDb,
  { userId, id }: ChannelRef,
  { name, isDefault, fallbackUrl }: ChannelChange,
): Promise<Channel> {
  return changingChannels(db, userId, async (transaction, channels) => {
    const channel = requireChannel(channels, id);
    if (name !== undefined) {
      requireFreeName(
        channels.filter((other) => other !== channel),
        name,
      );
      await queries.renameChannel(transaction, id, name);
    }
    if (isDefault) await queries.changeDefault(transaction, userId, id);
    if (fallbackUrl !== undefined) await queries.setFallback(transaction, id, fallbackUrl);
    return {
      ...channel,
      name: name ?? channel.name,
      isDefault: channel.isDefault || isDefault === true,
      fallbackUrl: fallbackUrl === undefined ? channel.fallbackUrl : fallbackUrl,
    };
  });
}

/** The relay removes it from its links. Also succeeds if the user has no such channel. */
export async function deleteChannel(
  db: ChannelsDb,
  { userId, id }: ChannelRef,
): Promise<{ id: number }> {
  await changingChannels(db, userId, async (transaction, channels) => {
    const channel = channels.find((candidate) => candidate.id === id);
    if (channel === undefined) return;
    if (channel.isDefault) throw new ApiError("default-channel");
    await queries.deleteChannel(transaction, id);
    await unrecorded(transaction, () => queries.removeTags(transaction, id));
  });
  return { id };
}

export async function saveTag(
  db: ChannelsDb,
  { userId, id }: ChannelRef,
  storeTag: StoreTag,
): Promise<void> {
  await changingChannels(db, userId, async (transaction, channels) => {
    requireChannel(channels, id);
    await putTag(transaction, channels, { userId, id }, storeTag);
  });
}

/** Saves a tag of the user's default channel. */
export async function saveDefaultTag(db: ChannelsDb, userId: number, storeTag: StoreTag) {
  await changingChannels(db, userId, async (transaction, channels) => {
    const { id } = requireDefault(channels);
    await putTag(transaction, channels, { userId, id }, storeTag);
  });
}

export async function deleteTag(
  db: ChannelsDb,
  { userId, id }: ChannelRef,
  marketplace: Marketplace,
): Promise<void> {
  await changingChannels(db, userId, async (transaction, channels) => {
    requireChannel(channels, id);
    await queries.removeTag(transaction, id, marketplace);
  });
}

export async function deleteDefaultTag(db: ChannelsDb, userId: number, marketplace: Marketplace) {
  await changingChannels(db, userId, async (transaction, channels) => {
    await queries.removeTag(transaction, requireDefault(channels).id, marketplace);
  });
}

/** @throws ApiError if another channel of the user has the tag */
async function putTag(
  transaction: Transaction,
  channels: readonly Channel[],
  { userId, id }: ChannelRef,
  storeTag: StoreTag,
): Promise<void> {
  const { marketplace, tag } = storeTag;
  const isTaken = channels.some((other) => {
    return other.id !== id && other.tags.some((own) => isSame(own, { marketplace, tag }));
  });
  if (isTaken) throw new ApiError("tag-in-other-channel", { field: "tag" });
  await queries.upsertTag(transaction, { userId, id }, storeTag);
}

/** Amazon's tracking ids are the same in any case. */
const isSame = (a: StoreTag, b: StoreTag) =>
  a.marketplace === b.marketplace && a.tag.toLowerCase() === b.tag.toLowerCase();

/** Runs `change` with the user's channels, which no other request changes until it ends. */
function changingChannels<Result>(
  db: ChannelsDb,
  userId: number,
  change: (transaction: Transaction, channels: readonly Channel[]) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (transaction) => {
    if (!(await lockUser(transaction, userId))) throw new ApiError("login-required");
    return change(transaction, await queries.findChannels(transaction, userId));
  });
}

/** @throws ApiError if a channel is named that is not the user's */
export async function requireOwnChannel(
  db: Db<"exists">,
  { userId, channelId = null }: { userId: number; channelId?: number | null | undefined },
): Promise<void> {
  if (channelId === null || (await queries.hasChannel(db, { userId, id: channelId }))) return;
  throw new ApiError("channel-not-found", { field: "channelId" });
}

/** Also for channels of other users, so that their existence is not revealed. */
function requireChannel(channels: readonly Channel[], id: number): Channel {
  const channel = channels.find((candidate) => candidate.id === id);
  if (channel === undefined) throw new ApiError("channel-not-found");
  return channel;
}

function requireDefault(channels: readonly Channel[]): Channel {
  const channel = channels.find(({ isDefault }) => isDefault);
  if (channel === undefined) throw new ApiError("channel-not-found");
  return channel;
}

function requireFreeName(channels: readonly Channel[], name: string): void {
  const isTaken = channels.some((channel) => labelKey(channel.name) === labelKey(name));
  if (isTaken) throw new ApiError("channel-taken", { field: "name" });
}
