import { DESTINATIONS_KEPT } from "@tapthru/proto/rules/limits";
import { type FragmentSqlToken, sql } from "slonik";
import { insertLinkChanges } from "../outbox.ts";
import type { LinkChannel } from "./channel-tags.ts";
import type { LinkAddresses } from "./link-addresses.ts";
import { addChangesOfTags } from "./mass-changes.ts";

/** Addresses that are undefined stay. The product can be another one of the same store. */
export interface ChangedTag extends LinkChannel, Partial<LinkAddresses> {
  id: number;
}

/** As of before the statement. */
const isNewFollower = sql.fragment`NOT EXISTS (
  SELECT FROM links AS before
  WHERE before.id = link.id AND before.channel_id = link.channel_id AND before.channel_tag IS NOT NULL
)`;

/**
 * The start of a statement that changes channels, tags and products of locked links, and keeps the destinations before: `link` has
 * their rows. Titles and images follow another product.
 */
export function changeTags(links: readonly ChangedTag[]): FragmentSqlToken {
  return sql.fragment`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(links)}::jsonb) AS input (
        id bigint, "channelId" integer, "channelTag" text, "originalUrl" text, "webUrl" text, "deepLink" text,
        "tag" text, asin text, page jsonb
      )
    ), kept AS (
      INSERT INTO link_destinations (link_id, user_id, original_url, web_url, marketplace, tag, asin)
      SELECT links.id, user_id, original_url, web_url, marketplace, links.tag, links.asin FROM links JOIN input USING (id)
      WHERE web_url <> "webUrl"
      RETURNING link_id, asin
    ), product AS (
      INSERT INTO products (canonical_url, marketplace, product_id)
      SELECT DISTINCT page ->> 'canonicalUrl', page ->> 'marketplace', page ->> 'productId'
      FROM input JOIN kept ON link_id = id WHERE kept.asin <> input.asin
      ON CONFLICT DO NOTHING
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
        asin = coalesce(input.asin, links.asin), canonical_url = coalesce(page ->> 'canonicalUrl', canonical_url),
        product_revision = CASE WHEN page ->> 'canonicalUrl' <> canonical_url THEN coalesce(
          (SELECT revision FROM products WHERE products.canonical_url = page ->> 'canonicalUrl'), 0
        ) ELSE product_revision END,
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
