import { DESTINATIONS_KEPT } from "@tapthru/proto/rules/limits";
import type { LinkChannel } from "@tapthru/runtime/links/channel-tags";
import type { LinkAddresses } from "@tapthru/runtime/links/link-addresses";
import { insertLinkChanges } from "@tapthru/runtime/outbox";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";
import { followedTag, RecordedLinkRow, recordedLinkColumns } from "./link-row.ts";

const LockedLink = z.object({
  id: z.int(),
  originalUrl: z.string(),
  webUrl: z.string(),
  channelId: z.nullable(z.int()),
  channelTag: z.nullable(z.string()),
  takenDown: z.boolean(),
});
export type LockedLink = z.infer<typeof LockedLink>;

/** Locks those of the links that the user owns, in the order of their ids. */
export function lockLinks(
  transaction: Db<"any">,
  { userId, ids }: { userId: number; ids: readonly number[] },
) {
  return transaction.any(sql.type(LockedLink)`
    SELECT id, original_url AS "originalUrl", web_url AS "webUrl", channel_id AS "channelId", ${followedTag} AS "channelTag", taken_down_at IS NOT NULL AS "takenDown"
    FROM links link WHERE id = ANY(${sql.array(ids, "int8")}) AND user_id = ${userId}
    ORDER BY id FOR NO KEY UPDATE
  `);
}

/** Addresses that are undefined stay. */
export interface ChangedTag extends LinkChannel, Partial<LinkAddresses> {
  id: number;
}

/**
 * Changes channels and tags of locked links, and keeps the destinations before. Their pages, and so their titles and images, stay.
 * A trigger has the relay look again at a link whose channel just got another tag.
 */
export function storeTags(transaction: Db<"any">, links: readonly ChangedTag[]) {
  return transaction.any(sql.type(RecordedLinkRow)`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(links)}::jsonb) AS input (
        id bigint, "channelId" integer, "channelTag" text, "originalUrl" text, "webUrl" text, "deepLink" text,
        "tag" text
      )
    ), kept AS (
      INSERT INTO link_destinations (link_id, original_url, web_url, marketplace, tag, asin)
      SELECT links.id, original_url, web_url, marketplace, links.tag, asin FROM links JOIN input USING (id)
      WHERE web_url <> "webUrl"
      RETURNING link_id
    ), removed AS (
      DELETE FROM link_destinations WHERE id IN (
        SELECT id FROM (
          SELECT id, row_number() OVER (PARTITION BY link_id ORDER BY id DESC) AS at
          FROM link_destinations WHERE link_id IN (SELECT link_id FROM kept)
        ) AS numbered WHERE at > ${DESTINATIONS_KEPT - 1}
      )
    ), link AS (
      UPDATE links SET channel_id = "channelId", channel_tag = "channelTag",
        original_url = coalesce("originalUrl", original_url), web_url = coalesce("webUrl", web_url),
        deep_link = coalesce("deepLink", deep_link), tag = coalesce(input.tag, links.tag),
        revision = revision + 1
      FROM input WHERE links.id = input.id
      RETURNING links.*
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT ${recordedLinkColumns} FROM link LEFT JOIN products product USING (canonical_url)
  `);
}
