import { DESTINATIONS_KEPT } from "@tapthru/proto/rules/limits";
import { type FragmentSqlToken, sql } from "slonik";
import { insertLinkChanges } from "../outbox.ts";
import type { LinkChannel } from "./channel-tags.ts";
import type { LinkAddresses } from "./link-addresses.ts";
import { addChangesOfTags } from "./mass-changes.ts";

/** Addresses that are undefined stay. */
export interface ChangedTag extends LinkChannel, Partial<LinkAddresses> {
  id: number;
}

/** As of before the statement. */
const isNewFollower = sql.fragment`NOT EXISTS (
  SELECT FROM links AS before
  WHERE before.id = link.id AND before.channel_id = link.channel_id AND before.channel_tag IS NOT NULL
)`;

/**
 * The start of a statement that changes channels and tags of locked links, and keeps the destinations before: `link` has their
 * rows. Their pages, and so their titles and images, stay.
 */
export function changeTags(links: readonly ChangedTag[]): FragmentSqlToken {
  return sql.fragment`
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
    ), changed_tag AS (
      ${addChangesOfTags(isNewFollower)}
    )
  `;
}
