import { followProducts } from "@tapthru/core/links/bulk-updates";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { dueKind } from "../due.ts";
import { DueAttempt, UNREFERENCED } from "./scrape-metadata/queries.ts";
import { queueAttempts } from "./scrape-metadata/queue-attempts.ts";

/** Maximum of each kind per sweep; later sweeps find the rest. */
const SWEEP_LIMIT = 1_000;
/** Not many more are queued at once. */
const DUE_PAGES = 500;
/** A page may have any number of links. */
const NEWEST_LINKS = 100;
/**
 * Pages per sweep that were read before or could not be: two requests in a second, however many workers there are and
 * pages are due.
 */
const REPEATED_READS_LIMIT = 60;

type SweepApp = Pick<App, "db" | "jobs" | "logger" | "metadataSource">;
type Step = [name: string, step: (app: SweepApp) => Promise<void>];

const STEPS: readonly Step[] = [
  ["expired metadata", ({ db }) => clearExpiredMetadata(db)],
  ["expired stores", ({ db }) => deleteExpiredStores(db)],
  ["pages without links", ({ db }) => postponeUnreferenced(db)],
  ["reads of pages", queueReads],
];

/** Queues the page reads that are due according to Postgres, as Redis may have lost them. A queued job is not added again. */
export const sweepProducts = dueKind({
  everyMs: 30_000,
  claim: async ({ metadataSource }: SweepApp) => (metadataSource === null ? STEPS.slice(0, 2) : STEPS),
  keyOf: ([name]) => name,
  work: (app, [, step]) => step(app),
});

const wasReadBefore = sql.fragment`(fetched_at IS NOT NULL OR attempts > 0)`;

/**
 * The pages of a kind that are due longest. `is_members`: whether one of the newest live links to a page has an owner; null if there
 * is none.
 */
const longestDue = (isRepeated: boolean) => sql.fragment`
  SELECT due.*, (
    SELECT bool_or(user_id IS NOT NULL) FROM (
      SELECT user_id FROM links WHERE links.canonical_url = due.canonical_url AND taken_down_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())
      ORDER BY id DESC LIMIT ${NEWEST_LINKS}
    ) AS newest
  ) AS is_members
  FROM (
    SELECT canonical_url, attempts, next_attempt_at FROM products
    WHERE next_attempt_at <= now() AND ${isRepeated ? wasReadBefore : sql.fragment`NOT ${wasReadBefore}`}
    ORDER BY next_attempt_at LIMIT ${DUE_PAGES}
  ) AS due`;

/** Queues pages that a live link leads to, longest due first: those of links with an owner, and then with limits of their own others. */
async function queueReads(app: SweepApp): Promise<void> {
  for (const isRepeated of [false, true]) {
    const due = await app.db.any(sql.type(DueAttempt)`
      SELECT canonical_url AS "canonicalUrl", attempts AS attempt, is_members AS "hasMemberLink", NULL::int AS rank
      FROM (${longestDue(isRepeated)}) AS due WHERE is_members IS NOT NULL ORDER BY next_attempt_at
    `);
    for (const isMembers of [true, false]) {
      const some = due.filter(({ hasMemberLink }) => hasMemberLink === isMembers);
      await queueAttempts(app, isRepeated ? some.slice(0, REPEATED_READS_LIMIT) : some);
    }
  }
}

/** Postpones due pages without a live link: until a link to them is created, or for a day. */
async function postponeUnreferenced(db: CommonQueryMethods): Promise<void> {
  for (const isRepeated of [false, true]) {
    await db.query(sql.type(z.object({}))`
      UPDATE products SET next_attempt_at = now() + interval '1 day', last_outcome = ${UNREFERENCED}
      WHERE next_attempt_at <= now() AND canonical_url IN (
        SELECT canonical_url FROM (${longestDue(isRepeated)}) AS due WHERE is_members IS NULL
      )
    `);
  }
}

async function clearExpiredMetadata(db: CommonQueryMethods): Promise<void> {
  await db.query(sql.type(z.object({}))`
    WITH expired AS (
      SELECT canonical_url FROM products WHERE keep_until <= now() ORDER BY keep_until LIMIT ${SWEEP_LIMIT}
      FOR UPDATE SKIP LOCKED
    ), changed AS (
      UPDATE products SET title = NULL, description = NULL, image_url = NULL, site_name = NULL, fetched_at = NULL, keep_until = NULL
      FROM expired WHERE products.canonical_url = expired.canonical_url RETURNING products.canonical_url AS "canonicalUrl"
    ), ${followProducts}
    SELECT
  `);
}

async function deleteExpiredStores(db: CommonQueryMethods): Promise<void> {
  await db.query(sql.type(z.object({}))`
    WITH expired AS (
      DELETE FROM product_stores WHERE (asin, store) IN (
        SELECT asin, store FROM product_stores WHERE keep_until < now() ORDER BY keep_until LIMIT ${SWEEP_LIMIT}
        FOR UPDATE SKIP LOCKED
      ) RETURNING asin, sold
    ), changed AS (SELECT asin FROM expired WHERE sold), ${followProducts}
    SELECT
  `);
}
