import { followProducts } from "@tapthru/core/links/bulk-updates";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { dueKind } from "../due.ts";
import { DueAttempt, UNREFERENCED } from "./scrape-metadata/queries.ts";
import { queueAttempts } from "./scrape-metadata/queue-attempts.ts";

/** Maximum of each kind per sweep; later sweeps find the rest. */
const SWEEP_LIMIT = 10_000;
const BATCH = 500;
/**
 * Pages per sweep that were read before or could not be: two requests in a second, however many workers there are and
 * pages are due.
 */
const REPEATED_READS_LIMIT = 60;

type SweepApp = Pick<App, "db" | "jobs" | "logger" | "metadataSource">;
type Step = [name: string, step: (app: SweepApp, signal: AbortSignal) => Promise<void>];

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
  work: (app, [, step], { signal }) => step(app, signal),
});

const isDue = sql.fragment`next_attempt_at <= now()`;

const liveLinkToPage = sql.fragment`
  SELECT FROM links
  WHERE links.canonical_url = products.canonical_url AND links.taken_down_at IS NULL
    AND (links.expires_at IS NULL OR links.expires_at > now())
`;
const hasLiveLink = sql.fragment`EXISTS (${liveLinkToPage})`;
const isMembers = sql.fragment`EXISTS (${liveLinkToPage} AND links.user_id IS NOT NULL)`;
const isVisitors = sql.fragment`${hasLiveLink} AND NOT ${isMembers}`;

const wasReadBefore = sql.fragment`(fetched_at IS NOT NULL OR attempts > 0)`;

/** Queues pages that a live link leads to, longest due first: those of links with an owner, and then with limits of their own others. */
async function queueReads(app: SweepApp, signal: AbortSignal): Promise<void> {
  for (const hasMemberLink of [true, false]) {
    for (const isRepeated of [false, true]) {
      const due = await app.db.any(sql.type(DueAttempt)`
        SELECT canonical_url AS "canonicalUrl", attempts AS attempt, ${hasMemberLink}::boolean AS "hasMemberLink", NULL::int AS rank
        FROM products
        WHERE ${isDue} AND ${isRepeated ? wasReadBefore : sql.fragment`NOT ${wasReadBefore}`}
          AND ${hasMemberLink ? isMembers : isVisitors}
        ORDER BY next_attempt_at LIMIT ${isRepeated ? REPEATED_READS_LIMIT : SWEEP_LIMIT}
      `);
      for (let i = 0; i < due.length && !signal.aborted; i += BATCH) await queueAttempts(app, due.slice(i, i + BATCH));
    }
  }
}

/** Postpones due pages without a live link: until a link to them is created, or for a day. */
async function postponeUnreferenced(db: CommonQueryMethods): Promise<void> {
  await db.query(sql.type(z.object({}))`
    UPDATE products SET next_attempt_at = now() + interval '1 day', last_outcome = ${UNREFERENCED}
    WHERE ${isDue} AND canonical_url IN (
      SELECT canonical_url FROM products
      WHERE ${isDue} AND NOT ${hasLiveLink} ORDER BY next_attempt_at LIMIT ${SWEEP_LIMIT}
    )
  `);
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
