import { DESTINATIONS_KEPT } from "@tapthru/proto/rules/limits";
import type { LinkAddresses } from "@tapthru/runtime/links/link-addresses";
import { insertLinkChanges } from "@tapthru/runtime/outbox";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { RecordedLinkRow, recordedLinkColumns } from "./link-row.ts";

/**
 * Gives a link another destination and keeps the one before. A repeated create of the earlier address, or its visit through
 * a pattern, then gets another link.
 * @returns null if the user has no such link, it was taken down, or it has this destination already
 */
export function relinkLink(
  db: Pick<CommonQueryMethods, "maybeOne">,
  { userId, shortCode }: { userId: number; shortCode: string },
  { originalUrl, webUrl, deepLink, page }: LinkAddresses,
): Promise<RecordedLinkRow | null> {
  const canonicalUrl = page?.canonicalUrl ?? null;
  return db.maybeOne(sql.type(RecordedLinkRow)`
    WITH earlier AS MATERIALIZED (
      SELECT id, original_url, web_url FROM links
      WHERE id = find_link_id(${shortCode}) AND user_id = ${userId} AND taken_down_at IS NULL
        AND (original_url <> ${originalUrl} OR web_url <> ${webUrl} OR deep_link <> ${deepLink})
      FOR UPDATE
    ), link AS (
      UPDATE links
      SET original_url = ${originalUrl}, web_url = ${webUrl}, deep_link = ${deepLink},
        canonical_url = ${canonicalUrl},
        product_revision = coalesce(
          (SELECT revision FROM products WHERE canonical_url = ${canonicalUrl}), 0
        ),
        revision = revision + 1
      FROM earlier WHERE links.id = earlier.id
      RETURNING links.*
    ), page AS (
      INSERT INTO products (canonical_url, marketplace, product_id)
      SELECT canonical_url, ${page?.marketplace ?? null}, ${page?.productId ?? null}
      FROM link WHERE canonical_url IS NOT NULL
      ON CONFLICT DO NOTHING
    ), kept AS (
      INSERT INTO link_destinations (link_id, original_url, web_url)
      SELECT id, original_url, web_url FROM earlier
    ), removed AS (
      DELETE FROM link_destinations WHERE id IN (
        SELECT id FROM link_destinations WHERE link_id IN (SELECT id FROM earlier)
        ORDER BY id DESC OFFSET ${DESTINATIONS_KEPT - 1}
      )
    ), pattern AS (
      DELETE FROM pattern_links USING link WHERE pattern_links.link_id = link.id
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT ${recordedLinkColumns} FROM link LEFT JOIN products product USING (canonical_url)
  `);
}

const EarlierDestination = z.object({
  linkId: z.int(),
  originalUrl: z.string(),
  webUrl: z.string(),
  /** Unix milliseconds. */
  replacedAt: z.number(),
});
export type EarlierDestination = z.infer<typeof EarlierDestination>;

/** Those of some links, the latest first. */
export function findEarlierDestinations(
  db: Pick<CommonQueryMethods, "any">,
  linkIds: readonly number[],
): Promise<readonly EarlierDestination[]> {
  return db.any(sql.type(EarlierDestination)`
    SELECT link_id AS "linkId", original_url AS "originalUrl", web_url AS "webUrl",
      replaced_at AS "replacedAt"
    FROM link_destinations WHERE link_id = ANY(${sql.array(linkIds, "int8")})
    ORDER BY id DESC
  `);
}

const EarlierCode = z.object({ linkId: z.int(), shortCode: z.string() });
export type EarlierCode = z.infer<typeof EarlierCode>;

/** Those of some links, the latest first. */
export function findEarlierCodes(
  db: Pick<CommonQueryMethods, "any">,
  linkIds: readonly number[],
): Promise<readonly EarlierCode[]> {
  return db.any(sql.type(EarlierCode)`
    SELECT code.link_id AS "linkId", code.short_code AS "shortCode"
    FROM link_codes code JOIN links link ON link.id = code.link_id
    WHERE link.id = ANY(${sql.array(linkIds, "int8")}) AND link.has_earlier_codes
      AND code.short_code <> link.short_code
    ORDER BY code.created_at DESC, code.short_code
  `);
}
