import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type Destination, findChannelTags, NO_CHANNELS, withChannelTag } from "@tapthru/core/links/channel-tags";
import { createLinks } from "@tapthru/core/links/create-links";
import { type Db, PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { PATTERN_ID, patternNotFound } from "@tapthru/proto/patterns";
import { parseUserAgent } from "@tapthru/proto/rules/agents/agent";
import { parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagsOf } from "@tapthru/proto/rules/amazon/tag-health";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { PATTERN_LINKS_MAX_COUNT, PATTERN_LINKS_PER_DAY_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { unusableLink } from "@tapthru/proto/rules/link-errors";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import { INSERTED_LINK, type RecordedLinkRow, redirectRecords } from "../links/link-row.ts";
import { type DeleteDependencies, deleteUnvisitedLinks } from "./delete-pattern-links.ts";
import { joinUse } from "./queries.ts";

export interface VisitDependencies extends DeleteDependencies {
  db: Db<"any" | "exists" | "maybeOne" | "query" | "transaction">;
  publicBaseUrl: string;
}

interface VisitRequest {
  patternId: string;
  /** The store address as sent. */
  url: string;
  /** Whether a link may be created for this visit. Called only if the address has none; counts the creation. */
  mayCreate(): Promise<boolean>;
  budget: RedisBudget;
}

interface VisitResult {
  webUrl: string;
  /** The link of the address, of which the redirect decides what it opens; null if it has none and none was created, or the pattern has other tags. */
  shortCode: string | null;
  /** Whether the owner lets assistants have the tag. */
  assistantsGetTag: boolean;
}

/**
 * Finds or creates the link of a store address for the owner of a pattern.
 * @throws ApiError if the pattern is unknown or revoked, or the address is not a page of an Amazon store
 */
export async function visitPattern(
  deps: VisitDependencies,
  { patternId, url, mayCreate, budget }: VisitRequest,
): Promise<VisitResult> {
  const page = parseStorePage(url);
  if (page === null) throw new ApiError(unusableLink);
  if (!PATTERN_ID.test(patternId)) throw new ApiError(patternNotFound);
  const address = { patternId, addressHash: hash("sha256", page.webUrl, "buffer") };
  const visit = await findPatternLink(deps.db, address);
  if (visit === null) throw new ApiError(patternNotFound);
  const { webUrl } = page;
  const { shortCode, assistantsGetTag } = visit;
  const withoutLink = { webUrl, shortCode: null, assistantsGetTag };
  if (!hasAllowedTag(page, visit.tags)) return withoutLink;
  if (shortCode !== null) return { ...withoutLink, shortCode };
  const newLink = { originalUrl: url.trim(), page };
  if (!(await mayCreate())) return { ...withoutLink, webUrl: await addressWithoutLink() };
  let link = await createPatternLink(deps, address, newLink);
  if (link === "pattern-full") {
    // Outside of the transaction, because clicks are read with another connection.
    const pattern = { patternId, userId: visit.userId };
    const hasRoom = await deleteUnvisitedLinks(deps, pattern, budget).catch(whenUnavailable);
    if (hasRoom) link = await createPatternLink(deps, address, newLink);
    else await reportLimit(deps.db, patternId);
  }
  if (link !== null && link !== "pattern-full") {
    // So that the short link opens at once. The worker's relay queues the read of its page.
    await deps.projectLinks(redirectRecords([link]), budget);
    return { ...withoutLink, shortCode: link.shortCode };
  }
  const created = await findPatternLink(deps.db, address);
  if (created?.shortCode) return { ...withoutLink, shortCode: created.shortCode };
  return { ...withoutLink, webUrl: await addressWithoutLink() };

  /** Also has the channel's tag, if links of the pattern get it. */
  async function addressWithoutLink(): Promise<string> {
    if (!visit?.usesChannelTag) return webUrl;
    const channels = await findChannelTags(deps.db, visit.userId);
    return withChannelTag(newLink, visit, channels).page.webUrl;
  }
}

/** The visitor is redirected without a link. @returns false @throws any other error */
function whenUnavailable(error: unknown): false {
  if (error instanceof PostgresUnavailableError) return false;
  throw error;
}

/** Of several tags each must be allowed, because Amazon does not document which one counts. */
function hasAllowedTag(page: StorePage, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  const tags = tagsOf(page);
  return tags.length > 0 && tags.every((tag) => allowed.includes(tag));
}

/**
 * @returns the new link; null if another visit created it, or the pattern was revoked or has the links of a day;
 *   `pattern-full` if it has as many links as it can have
 */
async function createPatternLink(
  { db, publicBaseUrl }: VisitDependencies,
  address: PatternAddress,
  destination: Destination,
): Promise<RecordedLinkRow | "pattern-full" | null> {
  return db.transaction(async (transaction) => {
    await lockPattern(transaction, address.patternId);
    const visit = await findPatternLink(transaction, address);
    if (visit === null || visit.shortCode !== null) return null;
    const { isFull, isDayFull } = await findRoom(transaction, address.patternId);
    if (isDayFull) await reportLimit(transaction, address.patternId);
    if (isDayFull) return null;
    if (isFull) return "pattern-full";
    const { userId, channelId, usesChannelTag } = visit;
    const channels = usesChannelTag ? await findChannelTags(transaction, userId) : NO_CHANNELS;
    const creator = { userId, channels, domain: null };
    const link = { destination, channelId, usesChannelTag };
    const app = { db: transaction, publicBaseUrl };
    const [created] = await createLinks(app, creator, [link], INSERTED_LINK);
    if (created === undefined || created === "slug-taken") return null;
    await insertPatternLink(transaction, address, created.row.id);
    return created.row;
  });
}

interface PatternAddress {
  patternId: string;
  /** SHA-256 of webUrl. */
  addressHash: Buffer;
}

const PatternVisit = z.object({
  userId: z.int(),
  tags: z.array(z.string()),
  channelId: z.nullable(z.int()),
  usesChannelTag: z.boolean(),
  /** Null if the address has no link yet. */
  shortCode: z.nullable(z.string()),
  assistantsGetTag: z.boolean(),
});

/**
 * The code is one of the site's own host, which the gateway responds for: the link's first one, if its owner moved it to a
 * domain.
 * @returns null if there is no such pattern
 */
function findPatternLink(db: Db<"maybeOne">, { patternId, addressHash }: PatternAddress) {
  return db.maybeOne(sql.type(PatternVisit)`
    SELECT pattern.user_id AS "userId", tags, pattern.channel_id AS "channelId",
      uses_channel_tag AS "usesChannelTag",
      CASE WHEN position('@' IN link.short_code) = 0 THEN link.short_code
      ELSE (
        SELECT code.short_code FROM link_codes code
        WHERE code.link_id = link.id AND position('@' IN code.short_code) = 0 AND NOT code.is_untagged
        ORDER BY code.created_at LIMIT 1
      ) END AS "shortCode",
      assistants_get_tag(pattern.user_id) AS "assistantsGetTag"
    FROM link_patterns pattern
    LEFT JOIN pattern_links visited
      ON visited.pattern_id = pattern.id AND visited.address_hash = ${sql.binary(addressHash)}
    LEFT JOIN links link ON link.id = visited.link_id
    WHERE pattern.id = ${patternId}
  `);
}

/** Visits that create links of one pattern run one after another, so that an address gets one link. */
async function lockPattern(transaction: Db<"query">, patternId: string) {
  await transaction.query(sql.type(z.object({}))`
    SELECT pg_advisory_xact_lock(hashtext('link_patterns'), hashtext(${patternId}))
  `);
}

const Room = z.object({ isFull: z.boolean(), isDayFull: z.boolean() });

/** Whether the pattern has as many links as it can have, in total and within 24 hours. None are added while its owner is disabled. */
function findRoom(transaction: Db<"one">, patternId: string) {
  return transaction.one(sql.type(Room)`
    SELECT "linkCount" >= ${PATTERN_LINKS_MAX_COUNT} AS "isFull",
      "linkCountOfDay" >= ${PATTERN_LINKS_PER_DAY_MAX_COUNT} OR owner.state <> 'enabled' AS "isDayFull"
    FROM link_patterns pattern JOIN users owner ON owner.id = pattern.user_id ${joinUse}
    WHERE pattern.id = ${patternId}
  `);
}

/** For webhooks, once a day. */
async function reportLimit(db: Db<"query">, patternId: string) {
  await db.query(sql.type(z.object({}))`
    SELECT report_full_pattern(${patternId})
  `);
}

async function insertPatternLink(transaction: Db<"query">, { patternId, addressHash }: PatternAddress, linkId: number) {
  await transaction.query(sql.type(z.object({}))`
    INSERT INTO pattern_links (pattern_id, address_hash, link_id)
    VALUES (${patternId}, ${sql.binary(addressHash)}, ${linkId})
  `);
}

/** Headers in which browsers and proxies announce a request that precedes a visit. */
const PREFETCH_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;

/**
 * Whether a visit may create a link: a GET of a browser that opens the address as a page. HEAD requests, crawlers,
 * prefetches, and images or frames of other pages may not.
 */
export function mayCreate(method: string, headers: IncomingHttpHeaders): boolean {
  if (method !== "GET") return false;
  const isPrefetch = PREFETCH_HEADERS.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? "")));
  if (isPrefetch) return false;
  const destination = headers["sec-fetch-dest"];
  if (destination !== undefined && destination !== "document") return false;
  const { device } = parseUserAgent(headers["user-agent"] ?? "", BUILT_IN_OPENING_TABLE.apps);
  return device !== "preview-crawler" && device !== "assistant" && device !== "bot";
}
