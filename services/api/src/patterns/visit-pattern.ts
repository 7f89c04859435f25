import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import {
  type Destination,
  findChannelTags,
  withChannelTag,
} from "@tapthru/core/links/channel-tags";
import { createLinks } from "@tapthru/core/links/create-links";
import { ClickHouseUnavailableError } from "@tapthru/core/platform/clickhouse/clickhouse";
import { type Db, PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { PATTERN_ID } from "@tapthru/proto/http/patterns";
import { parseUserAgent } from "@tapthru/proto/rules/agents/agent";
import { parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagsOf } from "@tapthru/proto/rules/amazon/tag-health";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { ApiError } from "../errors.ts";
import { INSERTED_LINK, type RecordedLinkRow, redirectRecords } from "../links/link-row.ts";
import { type DeleteDependencies, deleteUnvisitedLinks } from "./delete-pattern-links.ts";
import {
  findPatternLink,
  findRoom,
  insertPatternLink,
  lockPattern,
  type PatternAddress,
  type PatternVisit,
} from "./queries.ts";

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
  /** The link of the address; null if it has none and none was created, or the pattern has other tags. */
  shortCode: string | null;
}

/**
 * Finds or creates the link of a store address for the owner of a pattern.
 * @throws ApiError if the pattern is unknown or revoked, the address is not a page of an Amazon store, or its link expired
 *   or was taken down
 */
export async function visitPattern(
  deps: VisitDependencies,
  { patternId, url, mayCreate, budget }: VisitRequest,
): Promise<VisitResult> {
  const page = parseStorePage(url);
  if (page === null) throw new ApiError("unusable-link");
  if (!PATTERN_ID.test(patternId)) throw new ApiError("pattern-not-found");
  const address = { patternId, addressHash: hash("sha256", page.webUrl, "buffer") };
  const visit = await findPatternLink(deps.db, address);
  if (visit === null) throw new ApiError("pattern-not-found");
  const { webUrl } = page;
  if (!hasAllowedTag(page, visit.tags)) return { webUrl, shortCode: null };
  if (visit.shortCode !== null) return { webUrl, shortCode: openableCode(visit) };
  const newLink = { originalUrl: url.trim(), page };
  if (!(await mayCreate())) return { webUrl: await addressWithoutLink(), shortCode: null };
  let link = await createPatternLink(deps, address, newLink);
  if (link === "pattern-full") {
    // Outside of the transaction, because clicks are read with another connection.
    const pattern = { patternId, userId: visit.userId };
    const hasRoom = await deleteUnvisitedLinks(deps, pattern, budget).catch(whenUnavailable);
    if (hasRoom) link = await createPatternLink(deps, address, newLink);
  }
  // So that the short link opens at once. The worker's relay queues the read of its page.
  if (link !== null && link !== "pattern-full")
    await deps.projectLinks(redirectRecords([link]), budget);
  const created = await findPatternLink(deps.db, address);
  const shortCode = created && openableCode(created);
  return { webUrl: shortCode === null ? await addressWithoutLink() : webUrl, shortCode };

  /** Also has the channel's tag, if links of the pattern get it. */
  async function addressWithoutLink(): Promise<string> {
    if (!visit?.usesChannelTag) return webUrl;
    const channels = await findChannelTags(deps.db, visit.userId);
    return withChannelTag(newLink, visit, channels).page.webUrl;
  }
}

/** The visitor is redirected without a link. @returns false @throws any other error */
function whenUnavailable(error: unknown): false {
  if (error instanceof PostgresUnavailableError || error instanceof ClickHouseUnavailableError)
    return false;
  throw error;
}

/** Of several tags each must be allowed, because Amazon does not document which one counts. */
function hasAllowedTag(page: StorePage, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  const tags = tagsOf(page);
  return tags.length > 0 && tags.every((tag) => allowed.includes(tag));
}

function openableCode({ shortCode, takenDown, isExpired }: PatternVisit): string | null {
  if (takenDown) throw new ApiError("link-not-available");
  if (isExpired) throw new ApiError("link-expired");
  return shortCode;
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
    if (isDayFull) return null;
    if (isFull) return "pattern-full";
    const { userId, channelId, usesChannelTag } = visit;
    const channels = await findChannelTags(transaction, userId);
    const creator = { userId, channels, domain: null };
    const link = { destination, channelId, usesChannelTag };
    const app = { db: transaction, publicBaseUrl };
    const [created] = await createLinks(app, creator, [link], INSERTED_LINK);
    if (created === undefined || created === "slug-taken") return null;
    await insertPatternLink(transaction, address, created.row.id);
    return created.row;
  });
}

/** Headers in which browsers and proxies announce a request that precedes a visit. */
const PREFETCH_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;

/**
 * Whether a visit may create a link: a GET of a browser that opens the address as a page. HEAD requests, crawlers,
 * prefetches, and images or frames of other pages may not.
 */
export function mayCreate(method: string, headers: IncomingHttpHeaders): boolean {
  if (method !== "GET") return false;
  const isPrefetch = PREFETCH_HEADERS.some((name) =>
    /prefetch|prerender|preview/i.test(String(headers[name] ?? "")),
  );
  if (isPrefetch) return false;
  const destination = headers["sec-fetch-dest"];
  if (destination !== undefined && destination !== "document") return false;
  const { device } = parseUserAgent(headers["user-agent"] ?? "", BUILT_IN_OPENING_TABLE.apps);
  return device !== "preview-crawler" && device !== "assistant" && device !== "bot";
}
