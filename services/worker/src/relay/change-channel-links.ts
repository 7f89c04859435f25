import { DESTINATIONS_KEPT } from "@tapthru/proto/rules/limits";
import { insertLinkChanges } from "@tapthru/runtime/outbox";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { type BatchResult, changeInBatches } from "./change-in-batches.ts";

/** Links per transaction. */
export const CHANNEL_LINKS_BATCH = 500;

/**
 * Writes changed tags of channels into the links whose tag is the channel's, and raises the revisions of these and of routed links
 * of the channel. A link keeps a tag that the channel no longer has. Their outbox rows are relayed like all others.
 * @returns whether more may be left
 */
export function changeChannelLinks({ db }: { db: CommonQueryMethods }): Promise<boolean> {
  return changeInBatches(db, changeBatch);
}

/** Changes one batch of links; removes the change when it has no more. */
async function changeBatch(transaction: CommonQueryMethods): Promise<BatchResult> {
  const change = await lockChange(transaction);
  if (change === null) return "none";
  // Until the end of the transaction: two relays must not write different tags.
  const tag = await lockTag(transaction, change);
  const { lastId } = await changeLinks(transaction, change, tag);
  if (lastId !== null) await continueAfter(transaction, change, lastId);
  else await removeChange(transaction, change);
  return lastId === null ? "removed" : "links";
}

const TagChange = z.object({
  id: z.int(),
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

/** The oldest change that no other relay works on. */
function lockChange(transaction: CommonQueryMethods): Promise<TagChange | null> {
  return transaction.maybeOne(sql.type(TagChange)`
    SELECT change.id, change.user_id AS "userId", channel_id AS "channelId", marketplace,
      EXISTS (SELECT FROM channels WHERE channels.id = channel_id AND is_default) AS "isDefault",
      EXISTS (
        SELECT FROM routing_settings AS setting WHERE setting.user_id = change.user_id AND is_on
      ) AS "includesDefault",
      after_id AS "afterId"
    FROM channel_tag_changes AS change ORDER BY change.id LIMIT 1
    FOR UPDATE SKIP LOCKED
  `);
}

const Tag = z.object({ tag: z.nullable(z.string()) });

function lockTag(transaction: CommonQueryMethods, { channelId, marketplace }: TagChange) {
  return transaction.oneFirst(sql.type(Tag)`
    SELECT lock_channel_tag(${channelId}, ${marketplace}) AS tag
  `);
}

const Batch = z.object({
  /** Null if no link is left. */
  lastId: z.nullable(z.int()),
});

/** Changes the next links, by id, and keeps the destinations before. Waits for links that are locked by another transaction. */
function changeLinks(
  transaction: CommonQueryMethods,
  change: TagChange,
  tag: string | null,
): Promise<z.infer<typeof Batch>> {
  const { userId, channelId, marketplace, isDefault, includesDefault, afterId } = change;
  const hasOldTag = sql.fragment`(
    link.channel_tag <> coalesce(${tag}, '')
    AND store_of_address(link.web_url) = ${marketplace}
  )`;
  return transaction.one(sql.type(Batch)`
    WITH affected AS (
      SELECT link.id, ${hasOldTag} IS TRUE AND has_tag(link.web_url, link.channel_tag) AS follows,
        ${hasOldTag} IS TRUE AS "hasOldTag"
      FROM links AS link
      WHERE link.id > ${afterId} AND link.user_id = ${userId} AND link.channel_id = ${channelId}
        AND (
          ${hasOldTag}
          OR NOT ${isDefault} AND coalesce(link.routing, ${includesDefault}) AND link.taken_down_at IS NULL
            AND (link.expires_at IS NULL OR link.expires_at > now())
        )
      ORDER BY link.id LIMIT ${CHANNEL_LINKS_BATCH}
      FOR NO KEY UPDATE
    ), kept AS (
      INSERT INTO link_destinations (link_id, original_url, web_url, marketplace, tag, asin)
      SELECT id, original_url, web_url, marketplace, tag, asin FROM links JOIN affected USING (id)
      WHERE follows AND ${tag}::text IS NOT NULL
      RETURNING link_id
    ), removed AS (
      DELETE FROM link_destinations WHERE id IN (
        SELECT id FROM (
          SELECT id, row_number() OVER (PARTITION BY link_id ORDER BY id DESC) AS at
          FROM link_destinations WHERE link_id IN (SELECT link_id FROM kept)
        ) AS numbered WHERE at > ${DESTINATIONS_KEPT - 1}
      )
    ), link AS (
      UPDATE links SET ${newTag(tag)}, revision = links.revision + 1
      FROM affected WHERE links.id = affected.id
      RETURNING links.id, links.short_code, links.revision
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT max(id) AS "lastId" FROM link
  `);
}

/** A link whose address the previous release changed no longer has the channel's tag. */
function newTag(tag: string | null): FragmentSqlToken {
  const none = sql.fragment`channel_tag = CASE WHEN "hasOldTag" THEN NULL ELSE channel_tag END`;
  if (tag === null) return none;
  return sql.fragment`
    web_url = CASE WHEN follows THEN replace_tag(web_url, channel_tag, ${tag}) ELSE web_url END,
    original_url = CASE WHEN follows THEN replace_tag(original_url, channel_tag, ${tag})
      ELSE original_url END,
    deep_link = CASE WHEN follows THEN replace_encoded_tag(deep_link, channel_tag, ${tag})
      ELSE deep_link END,
    tag = CASE WHEN follows THEN lower(${tag}) ELSE tag END,
    channel_tag = CASE WHEN follows THEN ${tag} WHEN "hasOldTag" THEN NULL ELSE channel_tag END
  `;
}

async function continueAfter(
  transaction: CommonQueryMethods,
  { id }: Pick<TagChange, "id">,
  linkId: number,
): Promise<void> {
  await transaction.query(sql.type(z.object({}))`
    UPDATE channel_tag_changes SET after_id = ${linkId} WHERE id = ${id}
  `);
}

async function removeChange(
  transaction: CommonQueryMethods,
  { id }: Pick<TagChange, "id">,
): Promise<void> {
  await transaction.query(sql.type(z.object({}))`DELETE FROM channel_tag_changes WHERE id = ${id}`);
}
