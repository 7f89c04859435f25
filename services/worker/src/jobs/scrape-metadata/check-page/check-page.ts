import { addBulkUpdate } from "@tapthru/core/links/bulk-updates";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { CHECK_SOURCES, type CheckSource, PAGE_STATES } from "@tapthru/proto/rules/link-health";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../../../app.ts";
import type { MetadataSource, ReadResult } from "../source.ts";
import { checkDelay, nextPageCheck, type PageCheck, stateOfRead } from "./page-check.ts";

const LINKS_MAX_COUNT = 1_000;

/** @returns the longest time until the next check in milliseconds; Infinity if no link with an owner leads to the page */
export async function checkPage(
  { db }: Pick<App, "db">,
  canonicalUrl: string,
  { source, result }: { source: MetadataSource["name"]; result: ReadResult },
): Promise<number> {
  const found = stateOfRead(result);
  const now = Date.now();
  const check = await db.transaction(async (transaction) => {
    const before = await lockPageCheck(transaction, canonicalUrl);
    if (before === null) return null;
    const check = nextPageCheck(before, found, now);
    await storePageCheck(transaction, canonicalUrl, {
      ...check,
      source: found === "unknown" ? before.source : source,
      attemptedAt: now,
    });
    if (check.state !== before.state) await addBulkUpdate(transaction, "product-state", { canonicalUrl });
    return check;
  });
  if (check === null) return Number.POSITIVE_INFINITY;
  const { isLinked, isActive } = await findActivity(db, canonicalUrl);
  const isSuspected = check.suspectedState !== null;
  return isLinked ? checkDelay({ isSuspected, isActive }, Math.random()) : Number.POSITIVE_INFINITY;
}

const PageCheckRow = z.object({
  state: z.enum(PAGE_STATES),
  /** Unix milliseconds. */
  checkedAt: z.nullable(z.number()),
  source: z.nullable(z.enum(CHECK_SOURCES)),
  suspectedState: z.nullable(z.enum(PAGE_STATES)),
  suspectedAt: z.nullable(z.number()),
});

/** Returns null if the page does not exist. */
function lockPageCheck(db: Db<"maybeOne">, canonicalUrl: string) {
  return db.maybeOne(sql.type(PageCheckRow)`
    SELECT check_state AS state, checked_at AS "checkedAt", check_source AS source,
      suspected_state AS "suspectedState", suspected_at AS "suspectedAt"
    FROM products WHERE canonical_url = ${canonicalUrl} FOR NO KEY UPDATE
  `);
}

async function storePageCheck(
  db: Db<"query">,
  canonicalUrl: string,
  check: PageCheck & { source: CheckSource | null; attemptedAt: number },
): Promise<void> {
  const { state, checkedAt, suspectedState, suspectedAt, source, attemptedAt } = check;
  await db.query(sql.type(z.object({}))`
    UPDATE products SET check_state = ${state}, checked_at = ${time(checkedAt)}, check_source = ${source},
      attempted_at = ${time(attemptedAt)}, suspected_state = ${suspectedState}, suspected_at = ${time(suspectedAt)}
    WHERE canonical_url = ${canonicalUrl}
  `);
}

/** @param ms Unix milliseconds */
function time(ms: number | null) {
  return ms === null ? null : sql.timestamp(new Date(ms));
}

const Activity = z.object({ isLinked: z.boolean(), isActive: z.boolean() });

/** Whether links with an owner lead to a page, and some of them were created or clicked within a week. */
function findActivity(db: Db<"one">, canonicalUrl: string) {
  return db.one(sql.type(Activity)`
    WITH link AS MATERIALIZED (
      SELECT id, created_at > now() - interval '7 days' AS is_new FROM links
      WHERE canonical_url = ${canonicalUrl} AND user_id IS NOT NULL AND taken_down_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())
      ORDER BY id DESC LIMIT ${LINKS_MAX_COUNT}
    )
    SELECT EXISTS (SELECT FROM link) AS "isLinked",
      EXISTS (SELECT FROM link WHERE is_new) OR EXISTS (
        SELECT FROM clicks WHERE link_id = ANY (ARRAY(SELECT id FROM link)) AND day >= current_date - 7
      ) AS "isActive"
  `);
}
