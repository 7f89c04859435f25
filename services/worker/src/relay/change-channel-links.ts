import { type ChangedTag, changeTags } from "@tapthru/core/links/change-tags";
import { withTag } from "@tapthru/core/links/link-addresses";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import {
  changeInBatches,
  continueAfter,
  type MassChangeDependencies,
} from "./change-in-batches.ts";

/** Links per transaction. */
export const CHANNEL_LINKS_BATCH = 500;

export interface ChannelLinksDependencies extends MassChangeDependencies {
  publicBaseUrl: string;
}

/**
 * Writes changed tags of channels into the links whose tag is the channel's, and raises the revisions of these and of routed links
 * of the channel. A link keeps a tag that the channel no longer has, or in place of which the channel's does not fit into its
 * address. Their outbox rows are relayed like all others.
 * @returns whether more may be left
 */
export function changeChannelLinks(deps: ChannelLinksDependencies): Promise<boolean> {
  const table = "channel_tag_changes";
  return changeInBatches(deps, {
    kind: "change-channel-links",
    table,
    async changeBatch(transaction, id) {
      const change = await lockChange(transaction, id);
      if (change === null) return false;
      // Until the end of the transaction: two relays must not write different tags.
      const tag = await lockTag(transaction, change);
      const links = await lockLinks(transaction, change, tag);
      await storeLinks(
        transaction,
        links.map((link) => withChannelTag(deps, link, tag)),
      );
      return continueAfter(transaction, { table, id }, links.at(-1)?.id ?? null);
    },
  });
}

/** @param tag of the channel; null: it has none */
function withChannelTag(
  { publicBaseUrl }: Pick<ChannelLinksDependencies, "publicBaseUrl">,
  { hasOldTag, originalUrl, webUrl, ...link }: ChannelLink,
  tag: string | null,
): ChangedTag {
  if (!hasOldTag) return link;
  const addresses = tag === null ? null : withTag(publicBaseUrl, { originalUrl, webUrl }, tag);
  return { ...link, ...addresses, channelTag: addresses === null ? null : tag };
}

const TagChange = z.object({
  userId: z.int(),
  channelId: z.int(),
  marketplace: z.string(),
  /** Its routed links, and those without a channel, are changed by a row of `routing_changes`. */
  isDefault: z.boolean(),
  /** Whether links that do as the account says are routed. */
  includesDefault: z.boolean(),
  /** Links up to this one are done. */
  afterId: z.int(),
});
type TagChange = z.infer<typeof TagChange>;

function lockChange(transaction: CommonQueryMethods, id: number) {
  return transaction.maybeOne(sql.type(TagChange)`
    SELECT change.user_id AS "userId", channel_id AS "channelId", marketplace,
      EXISTS (SELECT FROM channels WHERE channels.id = channel_id AND is_default) AS "isDefault",
      EXISTS (
        SELECT FROM routing_settings AS setting WHERE setting.user_id = change.user_id AND is_on
      ) AS "includesDefault",
      after_id AS "afterId"
    FROM channel_tag_changes AS change WHERE id = ${id} FOR UPDATE
  `);
}

const Tag = z.object({ tag: z.nullable(z.string()) });

function lockTag(transaction: CommonQueryMethods, { channelId, marketplace }: TagChange) {
  return transaction.oneFirst(sql.type(Tag)`
    SELECT lock_channel_tag(${channelId}, ${marketplace}) AS tag
  `);
}

const ChannelLink = z.object({
  id: z.int(),
  channelId: z.int(),
  channelTag: z.nullable(z.string()),
  originalUrl: z.string(),
  webUrl: z.string(),
  /** Whether it has another tag of the channel in this store than the present one. */
  hasOldTag: z.boolean(),
});
type ChannelLink = z.infer<typeof ChannelLink>;

/** The next links that are to be changed, by id. Waits for links that are locked by another transaction. */
function lockLinks(
  transaction: CommonQueryMethods,
  { userId, channelId, marketplace, isDefault, includesDefault, afterId }: TagChange,
  tag: string | null,
): Promise<readonly ChannelLink[]> {
  const hasOldTag = sql.fragment`(
    link.channel_tag <> coalesce(${tag}, '') AND link.marketplace = ${marketplace}
  )`;
  return transaction.any(sql.type(ChannelLink)`
    SELECT id, channel_id AS "channelId", channel_tag AS "channelTag", original_url AS "originalUrl",
      web_url AS "webUrl", ${hasOldTag} IS TRUE AS "hasOldTag"
    FROM links AS link
    WHERE id > ${afterId} AND user_id = ${userId} AND channel_id = ${channelId}
      AND (
        ${hasOldTag}
        OR NOT ${isDefault} AND coalesce(routing, ${includesDefault}) AND taken_down_at IS NULL
          AND (expires_at IS NULL OR expires_at > now())
      )
    ORDER BY id LIMIT ${CHANNEL_LINKS_BATCH}
    FOR NO KEY UPDATE
  `);
}

async function storeLinks(
  transaction: CommonQueryMethods,
  links: readonly ChangedTag[],
): Promise<void> {
  await transaction.query(sql.type(z.object({}))`${changeTags(links)} SELECT FROM link`);
}
