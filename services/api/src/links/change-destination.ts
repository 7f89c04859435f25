import {
  type Destination,
  findChannelTags,
  type LinkChannel,
  newLinkAddresses,
} from "@tapthru/core/links/channel-tags";
import type { LinkAddresses } from "@tapthru/core/links/link-addresses";
import { insertLinkChanges } from "@tapthru/core/outbox";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { linkNotFound, linkTakenDown } from "@tapthru/proto/general-errors";
import { DESTINATIONS_KEPT } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import { requireChannel, type TagChoice } from "./change-tags.ts";
import { followedTag, ownChannel, RecordedLinkRow, recordedLinkColumns, redirectRecords } from "./link-row.ts";
import type { UserLink } from "./user-links.ts";

interface DestinationDependencies {
  /** Within a transaction. */
  db: Db<"any" | "maybeOne">;
  publicBaseUrl: string;
}

export interface NewDestination extends TagChoice {
  destination: Destination;
}

/**
 * Changes the destination of a link, and its channel if one is chosen. Title and image follow the new page, unless the owner set
 * them. A link with the tag of its channel gets that of the new store if the address has none; otherwise the tag is the owner's.
 * The address that the link has already changes nothing.
 * @throws ApiError if the link was taken down or is unknown, or the user has no such channel
 */
export async function changeDestination(
  { db, publicBaseUrl }: DestinationDependencies,
  link: UserLink,
  { destination, channelId, tagSource }: NewDestination,
): Promise<CodeRecord[]> {
  const locked = await lockLink(db, link);
  if (locked === null || locked.takenDown) throw new ApiError(locked === null ? linkNotFound : linkTakenDown);
  if (locked.originalUrl === destination.originalUrl) return [];
  const channels = await findChannelTags(db, link.userId);
  requireChannel(channels, { channelId });
  const choice = {
    channelId: channelId === undefined ? locked.channelId : channelId,
    usesChannelTag: tagSource === undefined ? locked.hasChannelTag : tagSource === "channel",
  };
  const changed = await updateDestination(db, link, newLinkAddresses(publicBaseUrl, destination, choice, channels));
  return changed === null ? [] : redirectRecords([changed]);
}

const LockedLink = z.object({
  originalUrl: z.string(),
  takenDown: z.boolean(),
  channelId: z.nullable(z.int()),
  hasChannelTag: z.boolean(),
});

/** Locks a link of the user. Its channel and tag cannot change meanwhile. */
function lockLink(db: Db<"maybeOne">, { userId, shortCode }: UserLink) {
  return db.maybeOne(sql.type(LockedLink)`
    SELECT original_url AS "originalUrl", taken_down_at IS NOT NULL AS "takenDown", ${ownChannel} AS "channelId",
      ${followedTag} IS NOT NULL AS "hasChannelTag"
    FROM links link WHERE id = find_link_id(${shortCode}) AND user_id = ${userId} FOR NO KEY UPDATE
  `);
}

/**
 * Gives a link another destination and keeps the one before. A repeated create of the earlier address then
 * gets another link.
 * @returns null if the user has no such link, it was taken down, or it has this destination already as its own
 */
function updateDestination(
  transaction: Db<"maybeOne">,
  { userId, shortCode }: UserLink,
  {
    originalUrl,
    webUrl,
    deepLink,
    marketplace,
    tag,
    asin,
    page,
    pageTitle,
    channelId,
    channelTag,
  }: LinkAddresses & LinkChannel,
): Promise<RecordedLinkRow | null> {
  const canonicalUrl = page?.canonicalUrl ?? null;
  return transaction.maybeOne(sql.type(RecordedLinkRow)`
    WITH earlier AS MATERIALIZED (
      SELECT id, user_id, original_url, web_url, marketplace, tag, asin FROM links
      WHERE id = find_link_id(${shortCode}) AND user_id = ${userId} AND taken_down_at IS NULL
        AND (
          original_url <> ${originalUrl} OR web_url <> ${webUrl} OR deep_link <> ${deepLink}
          OR channel_id IS DISTINCT FROM ${channelId} OR channel_tag IS DISTINCT FROM ${channelTag}
        )
      FOR UPDATE
    ), link AS (
      UPDATE links
      SET original_url = ${originalUrl}, web_url = ${webUrl}, deep_link = ${deepLink},
        marketplace = ${marketplace}, tag = ${tag}, asin = ${asin}, canonical_url = ${canonicalUrl}, page_title = ${pageTitle},
        channel_id = ${channelId}, channel_tag = ${channelTag},
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
      INSERT INTO link_destinations (link_id, user_id, original_url, web_url, marketplace, tag, asin)
      SELECT * FROM earlier
      WHERE original_url <> ${originalUrl} OR web_url <> ${webUrl}
      RETURNING link_id
    ), removed AS (
      DELETE FROM link_destinations WHERE id IN (
        SELECT id FROM link_destinations WHERE link_id IN (SELECT link_id FROM kept)
        ORDER BY id DESC OFFSET ${DESTINATIONS_KEPT - 1}
      )
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT ${recordedLinkColumns} FROM link LEFT JOIN products product USING (canonical_url)
  `);
}
