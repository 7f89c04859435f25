import { findChannelTags, type LinkChannel, NO_CHANNELS, newLinkAddresses } from "@tapthru/core/links/channel-tags";
import type { LinkAddresses } from "@tapthru/core/links/link-addresses";
import { insertLinkChanges } from "@tapthru/core/outbox";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { DESTINATIONS_KEPT } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import type { WhileWaiting } from "../http/shed-load.ts";
import type { QueuePageRead, ReadRequester } from "../metadata/queue-read.ts";
import { parseDestination, type ResolveDependencies, resolveDestination } from "./destination.ts";
import { followedTag, type LinkRow, RecordedLinkRow, recordedLinkColumns, redirectRecords } from "./link-row.ts";
import type { ProjectLinks } from "./project-links.ts";
import { findEditableLink, type UserLink } from "./user-links.ts";

export interface DestinationDependencies extends ResolveDependencies {
  db: Db<"maybeOne" | "transaction">;
  publicBaseUrl: string;
  queueRead: QueuePageRead;
  projectLinks: ProjectLinks;
}

interface DestinationRequest {
  userId: number;
  shortCode: string;
  /** The new destination as sent: a page of an Amazon store or a short link of Amazon. */
  url: string;
  requester: ReadRequester;
  budget: RedisBudget;
  whileWaiting: WhileWaiting;
}

/**
 * Changes the destination of a link. Title and image follow the new page, unless the owner set them. A link with the tag of its
 * channel gets that of the new store if the address has none; otherwise the tag is the owner's.
 * @throws ApiError if the address is not an Amazon shopping page, or the link was taken down or is unknown
 */
export async function changeDestination(
  deps: DestinationDependencies,
  { userId, shortCode, url, requester, budget, whileWaiting }: DestinationRequest,
): Promise<LinkRow> {
  const parsed = parseDestination(url);
  if (parsed instanceof ApiError) throw parsed;
  const link = { userId, shortCode };
  await findEditableLink(deps.db, link);
  const destination =
    parsed.kind === "page" ? parsed : await whileWaiting(() => resolveDestination(deps, parsed, budget));
  const [changed, addresses] = await deps.db.transaction(async (transaction) => {
    const followed = await lockFollower(transaction, link);
    const channels = followed === null ? NO_CHANNELS : await findChannelTags(transaction, userId);
    const choice = { channelId: followed, usesChannelTag: followed !== null };
    const planned = newLinkAddresses(deps.publicBaseUrl, destination, choice, channels);
    return [await updateDestination(transaction, link, planned), planned] as const;
  });
  if (changed === null) return findEditableLink(deps.db, link);
  if (addresses.page !== null && changed.dueAttempt !== null) {
    const { canonicalUrl } = addresses.page;
    void deps.queueRead({ canonicalUrl, attempt: changed.dueAttempt }, requester);
  }
  await deps.projectLinks(redirectRecords([changed]), budget);
  // A trigger resets it after the statement.
  return { ...changed, healthState: "unknown", healthSince: null };
}

/** Locks a link of the user. @returns the channel whose tag it has, which cannot change meanwhile; null: it has its own */
async function lockFollower(db: Db<"maybeOneFirst">, { userId, shortCode }: UserLink): Promise<number | null> {
  return db.maybeOneFirst(sql.type(z.object({ channelId: z.nullable(z.int()) }))`
    SELECT CASE WHEN ${followedTag} IS NOT NULL THEN channel_id END AS "channelId"
    FROM links link WHERE id = find_link_id(${shortCode}) AND user_id = ${userId} FOR NO KEY UPDATE
  `);
}

/**
 * Gives a link another destination and keeps the one before. A repeated create of the earlier address, or its visit through
 * a pattern, then gets another link.
 * @returns null if the user has no such link, it was taken down, or it has this destination already as its own
 */
function updateDestination(
  db: Db<"maybeOne">,
  { userId, shortCode }: UserLink,
  { originalUrl, webUrl, deepLink, marketplace, tag, asin, page, pageTitle, channelTag }: LinkAddresses & LinkChannel,
): Promise<RecordedLinkRow | null> {
  const canonicalUrl = page?.canonicalUrl ?? null;
  return db.maybeOne(sql.type(RecordedLinkRow)`
    WITH earlier AS MATERIALIZED (
      SELECT id, original_url, web_url, marketplace, tag, asin FROM links
      WHERE id = find_link_id(${shortCode}) AND user_id = ${userId} AND taken_down_at IS NULL
        AND (
          original_url <> ${originalUrl} OR web_url <> ${webUrl} OR deep_link <> ${deepLink}
          OR channel_tag IS DISTINCT FROM ${channelTag}
        )
      FOR UPDATE
    ), link AS (
      UPDATE links
      SET original_url = ${originalUrl}, web_url = ${webUrl}, deep_link = ${deepLink},
        marketplace = ${marketplace}, tag = ${tag}, asin = ${asin}, canonical_url = ${canonicalUrl}, page_title = ${pageTitle}, channel_tag = ${channelTag},
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
      INSERT INTO link_destinations (link_id, original_url, web_url, marketplace, tag, asin)
      SELECT * FROM earlier
      WHERE original_url <> ${originalUrl} OR web_url <> ${webUrl}
      RETURNING link_id
    ), removed AS (
      DELETE FROM link_destinations WHERE id IN (
        SELECT id FROM link_destinations WHERE link_id IN (SELECT link_id FROM kept)
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
