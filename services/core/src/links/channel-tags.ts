import { parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { setTag } from "@tapthru/proto/rules/amazon/set-tag";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { type LinkAddresses, linkAddresses, withEmptyTag, withTag } from "./link-addresses.ts";

export const ChannelRow = z.object({
  id: z.int(),
  isDefault: z.boolean(),
  tags: z.record(z.string(), z.string()),
});

export interface ChannelTags {
  defaultId: number | null;
  has(channelId: number): boolean;
  /** @param channelId null: the default channel */
  tagOf(channelId: number | null, marketplace: string): string | undefined;
}

export const channelRows = (userId: FragmentSqlToken) => sql.fragment`
  SELECT id, is_default AS "isDefault", (
      SELECT coalesce(jsonb_object_agg(marketplace, tag), '{}')
      FROM channel_tags WHERE channel_id = channel.id
    ) AS tags
  FROM channels channel WHERE user_id = ${userId}`;

export async function findChannelTags(db: Pick<CommonQueryMethods, "any">, userId: number): Promise<ChannelTags> {
  const rows = channelRows(sql.fragment`${userId}`);
  return channelTagsOf(await db.any(sql.prepared("find-channel-tags", ChannelRow)`${rows}`));
}

export function channelTagsOf(rows: readonly z.infer<typeof ChannelRow>[]): ChannelTags {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const defaultId = rows.find(({ isDefault }) => isDefault)?.id ?? null;
  return {
    defaultId,
    has: (channelId) => byId.has(channelId),
    tagOf: (channelId, marketplace) => byId.get(channelId ?? defaultId ?? -1)?.tags[marketplace],
  };
}

/** For links that have neither a channel nor its tag. */
export const NO_CHANNELS: ChannelTags = {
  defaultId: null,
  has: () => false,
  tagOf: () => undefined,
};

export interface ChannelChoice {
  /** Null for the user's default channel. */
  channelId?: number | null | undefined;
  usesChannelTag?: boolean | undefined;
}

export interface LinkChannel {
  channelId: number | null;
  /** True if the tag of the link is that of the channel. Its stored addresses are those of `withEmptyTag`. */
  followsChannel: boolean;
}

export interface Destination {
  /** The pasted text, or what a short link resolved to. */
  originalUrl: string;
  page: StorePage;
}

function tagFor(page: StorePage, { channelId = null, usesChannelTag = false }: ChannelChoice, channels: ChannelTags) {
  const isUntagged = usesChannelTag && tagHealth(page).kind === "none";
  return isUntagged ? channels.tagOf(channelId, page.marketplace) : undefined;
}

export function withChannelTag(page: StorePage, choice: ChannelChoice, channels: ChannelTags): StorePage {
  const tag = tagFor(page, choice, channels);
  const tagged = tag === undefined ? null : setTag(page.webUrl, tag);
  return (tagged === null ? null : parseStorePage(tagged)) ?? page;
}

export function newLinkAddresses(
  publicBaseUrl: string,
  { originalUrl, page }: Destination,
  choice: ChannelChoice,
  channels: ChannelTags,
): LinkAddresses & LinkChannel {
  const { channelId = null } = choice;
  const pasted = { originalUrl, webUrl: page.webUrl };
  const tag = tagFor(page, choice, channels);
  const followed = tag === undefined ? null : withEmptyTag(publicBaseUrl, pasted);
  if (followed !== null) return { ...followed, channelId: channelId ?? channels.defaultId, followsChannel: true };
  const tagged = tag === undefined ? null : withTag(publicBaseUrl, pasted, tag);
  return { ...(tagged ?? linkAddresses(publicBaseUrl, originalUrl, page)), channelId, followsChannel: false };
}
