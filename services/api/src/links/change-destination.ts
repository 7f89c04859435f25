import { type Destination, findChannelTags, newLinkAddresses } from "@tapthru/core/links/channel-tags";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { linkNotFound, linkTakenDown } from "@tapthru/proto/general-errors";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import { requireChannel, storeChanges, type TagChoice } from "./change-tags.ts";
import { followsChannel, ownChannel, redirectRecords } from "./link-row.ts";
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
 * Changes the destination of a link, and its channel if one is chosen, and keeps the one before. Title and image follow the new page,
 * unless the owner set them. A link with the tag of its channel gets that of the new store if the address has none; otherwise the tag
 * is the owner's. The address that the link has already changes nothing.
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
    usesChannelTag: tagSource === undefined ? locked.followsChannel : tagSource === "channel",
  };
  const addresses = newLinkAddresses(publicBaseUrl, destination, choice, channels);
  return redirectRecords(await storeChanges(db, [{ id: locked.id, ...addresses }]));
}

const LockedLink = z.object({
  id: z.int(),
  originalUrl: z.string(),
  takenDown: z.boolean(),
  channelId: z.nullable(z.int()),
  followsChannel: z.boolean(),
});

/** Locks a link of the user. Its channel and tag cannot change meanwhile. */
function lockLink(db: Db<"maybeOne">, { userId, shortCode }: UserLink) {
  return db.maybeOne(sql.type(LockedLink)`
    SELECT id, link_url(link, original_url) AS "originalUrl", taken_down_at IS NOT NULL AS "takenDown",
      ${ownChannel} AS "channelId", ${followsChannel} AS "followsChannel"
    FROM links link WHERE id = find_link_id(${shortCode}) AND user_id = ${userId} FOR NO KEY UPDATE
  `);
}
