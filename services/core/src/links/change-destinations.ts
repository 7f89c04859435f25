import { DESTINATIONS_KEPT } from "@tapthru/proto/rules/limits";
import { type FragmentSqlToken, sql } from "slonik";
import { insertLinkChanges } from "../outbox.ts";
import type { LinkChannel } from "./channel-tags.ts";
import type { LinkAddresses } from "./link-addresses.ts";

/** A link keeps its addresses if these are omitted. */
export type ChangedLink = LinkChannel & Partial<LinkAddresses> & { id: number };

const COLUMNS = {
  originalUrl: "original_url",
  webUrl: "web_url",
  deepLink: "deep_link",
  marketplace: "marketplace",
  tag: "tag",
  asin: "asin",
  canonicalUrl: "canonical_url",
  pageTitle: "page_title",
};

/**
 * The start of a statement that changes channels, tags and pages of locked links, and keeps the destinations before: `link` has
 * their rows. Titles and images follow another page.
 * @param replacedAt of the destinations before, if it is not now
 */
export function changeDestinations(links: readonly ChangedLink[], replacedAt: string | null = null): FragmentSqlToken {
  const changes = Object.entries(COLUMNS).map(([field, column]) => {
    const [earlier, given] = [sql.identifier(["links", column]), sql.identifier(["input", field])];
    return sql.fragment`${sql.identifier([column])} = CASE WHEN "webUrl" IS NULL THEN ${earlier} ELSE ${given} END`;
  });
  return sql.fragment`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(links.map(({ page, ...link }) => ({ ...page, ...link })))}::jsonb) AS input (
        id bigint, "channelId" integer, "followsChannel" boolean, "originalUrl" text, "webUrl" text, "deepLink" text,
        marketplace text, tag text, asin text, "canonicalUrl" text, "productId" text, "pageTitle" text
      )
    ), before AS MATERIALIZED (
      SELECT links.id AS link_id, user_id, link_url(links, original_url) AS original_url, link_url(links, web_url) AS web_url,
        links.marketplace, lower(link_tag(links)) AS tag, links.asin
      FROM links JOIN input USING (id)
    ), product AS (
      INSERT INTO products (canonical_url, marketplace, product_id)
      SELECT DISTINCT "canonicalUrl", marketplace, "productId" FROM input WHERE "canonicalUrl" IS NOT NULL
      ON CONFLICT DO NOTHING
    ), link AS (
      UPDATE links SET channel_id = "channelId", follows_channel = "followsChannel", ${sql.join(changes, sql.fragment`, `)},
        revision = revision + 1
      FROM input WHERE links.id = input.id
      RETURNING links.*
    ), kept AS (
      INSERT INTO link_destinations (link_id, user_id, original_url, web_url, marketplace, tag, asin, replaced_at)
      SELECT before.*, coalesce(${replacedAt}::text::timestamptz, now()) FROM before JOIN link ON link.id = link_id
      WHERE before.original_url <> link_url(link::links, link.original_url) OR before.web_url <> link_url(link::links, link.web_url)
      RETURNING link_id
    ), removed AS (
      DELETE FROM link_destinations WHERE id IN (
        SELECT id FROM (
          SELECT id, row_number() OVER (PARTITION BY link_id ORDER BY id DESC) AS at
          FROM link_destinations WHERE link_id IN (SELECT link_id FROM kept)
        ) AS numbered WHERE at > ${DESTINATIONS_KEPT - 1}
      )
    ), change AS (
      ${insertLinkChanges}
    )
  `;
}
