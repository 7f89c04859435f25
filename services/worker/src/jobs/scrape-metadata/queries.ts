import { followProducts } from "@tapthru/core/links/bulk-updates";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { isMarketplace, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { Metadata, Outcome } from "./source.ts";

/** One attempt at a page; if several workers make the same one, the first result counts. */
export interface Attempt {
  canonicalUrl: string;
  attempt: number;
}

const Page = z.object({
  canonicalUrl: z.string(),
  marketplace: z.custom<Marketplace>((value) => isMarketplace(String(value))),
  productId: z.string(),
});

const isDueFor = ({ canonicalUrl, attempt }: Attempt) => sql.fragment`
  canonical_url = ${canonicalUrl} AND attempts = ${attempt} AND next_attempt_at <= now()
`;

/** Returns null if this attempt was made already or is not due. */
export function findDuePage(db: CommonQueryMethods, attempt: Attempt) {
  return db.maybeOne(sql.type(Page)`
    SELECT canonical_url AS "canonicalUrl", marketplace, product_id AS "productId"
    FROM products WHERE ${isDueFor(attempt)}
  `);
}

/** Fields that are missing this time keep their values if metadata may be stored without a time limit. Links follow a change. */
export async function recordMetadata(
  db: CommonQueryMethods,
  attempt: Attempt,
  { title, description, imageUrl, siteName }: Metadata,
  { refreshInMs, keepForMs }: { refreshInMs: number /** Null: without a time limit. */; keepForMs: number | null },
): Promise<void> {
  const keepsMissingFields = sql.fragment`${keepForMs === null} AND keep_until IS NULL`;
  const valueOrStored = (value: string | null, column: ReturnType<typeof sql.fragment>) =>
    sql.fragment`coalesce(${value}, CASE WHEN ${keepsMissingFields} THEN ${column} END) AS ${column}`;
  await db.query(sql.type(z.object({}))`
    WITH known AS (
      SELECT canonical_url,
        ${valueOrStored(title, sql.fragment`title`)},
        ${valueOrStored(description, sql.fragment`description`)},
        ${valueOrStored(imageUrl, sql.fragment`image_url`)},
        ${valueOrStored(siteName, sql.fragment`site_name`)}
      FROM products WHERE ${isDueFor(attempt)} FOR UPDATE
    ), changed AS (
      SELECT canonical_url AS "canonicalUrl" FROM known JOIN products USING (canonical_url)
      WHERE (products.title, products.description, products.image_url, products.site_name)
        IS DISTINCT FROM (known.title, known.description, known.image_url, known.site_name)
    ), ${followProducts}
    UPDATE products SET
      title = known.title, description = known.description,
      image_url = known.image_url, site_name = known.site_name,
      fetched_at = now(), attempts = 0, last_outcome = 'read',
      next_attempt_at = now() + ${milliseconds(refreshInMs)},
      keep_until = ${keepForMs === null ? null : sql.fragment`now() + ${milliseconds(keepForMs)}`}
    FROM known WHERE products.canonical_url = known.canonical_url
  `);
}

export async function recordFailure(
  db: CommonQueryMethods,
  attempt: Attempt,
  outcome: Outcome,
  retryInMs: number,
): Promise<void> {
  await db.query(sql.type(z.object({}))`
    UPDATE products SET attempts = attempts + 1, last_outcome = ${outcome},
      next_attempt_at = now() + ${milliseconds(retryInMs)}
    WHERE ${isDueFor(attempt)}
  `);
}

export async function postpone(db: CommonQueryMethods, attempt: Attempt, retryInMs: number) {
  await db.query(sql.type(z.object({}))`
    UPDATE products SET next_attempt_at = now() + ${milliseconds(retryInMs)}
    WHERE ${isDueFor(attempt)}
  `);
}

export const UNREFERENCED = "unshown";

export const DueAttempt = z.object({
  canonicalUrl: z.string(),
  attempt: z.int(),
  hasMemberLink: z.boolean(),
  /** Of a page to which a new link of a user leads: from 0, in the order of these links; null: of other pages. */
  rank: z.nullable(z.int()),
});
export type DueAttempt = z.infer<typeof DueAttempt>;

/** The pages of these links that are due, including those that were skipped without a link. In the order of the links. */
export function claimDueAttempts(db: CommonQueryMethods, shortCodes: readonly string[]) {
  return db.any(sql.type(DueAttempt)`
    WITH linked_pages AS (
      SELECT canonical_url, min(id) AS first_link, bool_or(user_id IS NOT NULL) AS is_members,
        min(user_id) FILTER (WHERE revision = 1) AS new_link_owner
      FROM links
      WHERE short_code = ANY(${sql.array(shortCodes, "text")}) AND canonical_url IS NOT NULL
      GROUP BY canonical_url
    ), requeued AS (
      UPDATE products SET next_attempt_at = now(), last_outcome = NULL
      FROM linked_pages
      WHERE products.canonical_url = linked_pages.canonical_url AND last_outcome = ${UNREFERENCED}
      RETURNING products.canonical_url, attempts
    )
    SELECT canonical_url AS "canonicalUrl", attempts AS attempt, is_members AS "hasMemberLink",
      CASE WHEN new_link_owner IS NOT NULL THEN row_number() OVER (PARTITION BY new_link_owner ORDER BY first_link) - 1 END::int AS rank
    FROM (
      TABLE requeued
      UNION
      SELECT canonical_url, attempts FROM products JOIN linked_pages USING (canonical_url)
      WHERE next_attempt_at <= now()
    ) AS due JOIN linked_pages USING (canonical_url)
    ORDER BY first_link
  `);
}
