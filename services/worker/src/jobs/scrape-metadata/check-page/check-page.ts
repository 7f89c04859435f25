import { addBulkUpdate } from "@tapthru/core/links/bulk-updates";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { CHECK_SOURCES, type CheckSource, PAGE_STATES, type PageState } from "@tapthru/proto/rules/link-health";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../../../app.ts";
import type { MetadataSource, ReadResult } from "../source.ts";

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
    const hasChanged = check.state !== before.state;
    await storePageCheck(transaction, canonicalUrl, {
      ...check,
      source: found === "unknown" ? before.source : source,
      attemptedAt: now,
    });
    if (hasChanged) await markStale(transaction, canonicalUrl);
    if (hasChanged && [check.state, before.state].includes("product-gone")) {
      await addBulkUpdate(transaction, "product-state", { asin: before.productId });
    }
    return check;
  });
  if (check === null) return Number.POSITIVE_INFINITY;

  const links = await findPageLinks(db, canonicalUrl, LINKS_MAX_COUNT);
  if (links.length === 0) return Number.POSITIVE_INFINITY;
  const activity = {
    isSuspected: check.suspicion !== null,
    hasNewLink: links.some(({ isNew }) => isNew),
    hasClicks: await wereClicked(db, links),
  };
  return checkDelay(activity, Math.random());
}

const PageCheckRow = z.object({
  productId: z.string(),
  state: z.enum(PAGE_STATES),
  /** Unix milliseconds. */
  checkedAt: z.nullable(z.number()),
  source: z.nullable(z.enum(CHECK_SOURCES)),
  suspectedState: z.nullable(z.enum(PAGE_STATES)),
  suspectedAt: z.nullable(z.number()),
});

/** Returns null if the page does not exist. */
async function lockPageCheck(
  db: Db<"maybeOne">,
  canonicalUrl: string,
): Promise<(PageCheck & { productId: string; source: CheckSource | null }) | null> {
  const row = await db.maybeOne(sql.type(PageCheckRow)`
    SELECT product_id AS "productId", check_state AS state, checked_at AS "checkedAt", check_source AS source,
      suspected_state AS "suspectedState", suspected_at AS "suspectedAt"
    FROM products WHERE canonical_url = ${canonicalUrl} FOR NO KEY UPDATE
  `);
  if (row === null) return null;
  const { suspectedState, suspectedAt, ...check } = row;
  const suspicion =
    suspectedState === null || suspectedAt === null ? null : { state: suspectedState, since: suspectedAt };
  return { ...check, suspicion };
}

async function storePageCheck(
  db: Db<"query">,
  canonicalUrl: string,
  { state, checkedAt, suspicion, source, attemptedAt }: PageCheck & { source: CheckSource | null; attemptedAt: number },
): Promise<void> {
  await db.query(sql.type(z.object({}))`
    UPDATE products SET check_state = ${state}, checked_at = ${time(checkedAt)}, check_source = ${source},
      attempted_at = ${time(attemptedAt)}, suspected_state = ${suspicion?.state ?? null}, suspected_at = ${time(suspicion?.since ?? null)}
    WHERE canonical_url = ${canonicalUrl}
  `);
}

async function markStale(db: Db<"query">, canonicalUrl: string): Promise<void> {
  await db.query(sql.type(z.object({}))`
    UPDATE link_health SET is_stale = true FROM links
    WHERE links.canonical_url = ${canonicalUrl} AND link_health.link_id = links.id
  `);
}

/** @param ms Unix milliseconds */
function time(ms: number | null) {
  return ms === null ? null : sql.timestamp(new Date(ms));
}

const PageLink = z.object({ id: z.int(), isNew: z.boolean() });
type PageLink = z.infer<typeof PageLink>;

function findPageLinks(db: Db<"any">, canonicalUrl: string, limit: number) {
  return db.any(sql.type(PageLink)`
    SELECT id, created_at > now() - interval '7 days' AS "isNew" FROM links
    WHERE canonical_url = ${canonicalUrl} AND user_id IS NOT NULL AND taken_down_at IS NULL
      AND (expires_at IS NULL OR expires_at > now())
    ORDER BY id DESC LIMIT ${limit}
  `);
}

function wereClicked(db: Db<"exists">, links: readonly PageLink[]): Promise<boolean> {
  const ids = links.map(({ id }) => id);
  return db.exists(sql.type(z.object({}))`
    SELECT FROM clicks WHERE link_id = ANY(${sql.array(ids, "int8")}) AND day >= current_date - 7
  `);
}

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

/** A second check that agrees counts only after this time: stores respond wrongly for minutes. */
const AGREEMENT_MIN_MS = 6 * HOUR_MS;
/** A state that no check found again for so long is unknown. */
const STATE_LIFETIME_MS = 14 * DAY_MS;

/** The next check of a page: longer than the time after which a second check counts. */
const SUSPECTED_MS = 7 * HOUR_MS;
const ACTIVE_MS = DAY_MS;
const QUIET_MS = 7 * DAY_MS;

/** The findings of a page's checks so far. Times are in milliseconds since the epoch. */
export interface PageCheck {
  state: PageState;
  checkedAt: number | null;
  suspicion: { state: PageState; since: number } | null;
}

/** The state that a read found. Only responses that a store gives about the product itself count. */
export function stateOfRead(result: ReadResult): PageState {
  if (result.kind === "read") return result.state ?? "ok";
  if (result.outcome === "gone") return "product-gone";
  if (result.outcome === "leads-elsewhere") return "redirected-elsewhere";
  return "unknown";
}

export function nextPageCheck(check: PageCheck, found: PageState, now: number): PageCheck {
  if (found === "unknown") {
    const isOld = check.checkedAt === null || now - check.checkedAt > STATE_LIFETIME_MS;
    return isOld ? { ...check, state: "unknown" } : check;
  }
  if (found === "ok" || found === check.state) {
    return { state: found, checkedAt: now, suspicion: null };
  }
  const { suspicion } = check;
  if (suspicion?.state !== found) {
    return { ...check, checkedAt: now, suspicion: { state: found, since: now } };
  }
  return now - suspicion.since < AGREEMENT_MIN_MS
    ? { ...check, checkedAt: now }
    : { state: found, checkedAt: now, suspicion: null };
}

/**
 * The longest time until the next check of a page, in milliseconds.
 * @param random from 0 to 1, so that pages that were checked together are not checked together again
 */
export function checkDelay(
  { isSuspected, hasNewLink, hasClicks }: { isSuspected: boolean; hasNewLink: boolean; hasClicks: boolean },
  random: number,
): number {
  const delay = isSuspected ? SUSPECTED_MS : hasNewLink || hasClicks ? ACTIVE_MS : QUIET_MS;
  return Math.round(delay * (1 + random / 5));
}
