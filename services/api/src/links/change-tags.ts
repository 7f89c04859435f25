import { recordLinks } from "@tapthru/core/events";
import { type ChangedLink, changeDestinations } from "@tapthru/core/links/change-destinations";
import { type ChannelTags, findChannelTags } from "@tapthru/core/links/channel-tags";
import { linkAddresses, withEmptyTag } from "@tapthru/core/links/link-addresses";
import { mapInTurns } from "@tapthru/core/platform/map-in-turns";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { channelHasNoTag, channelNotFound } from "@tapthru/proto/channels";
import { linkNotFound, linkTakenDown } from "@tapthru/proto/general-errors";
import type { TagSource } from "@tapthru/proto/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { ATTRIBUTION_TAG } from "@tapthru/proto/rules/amazon/earning-tags";
import { tagsAt } from "@tapthru/proto/rules/amazon/tag-health";
import { linkTooLong, unusableLink } from "@tapthru/proto/rules/link-errors";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import { followsChannel, ownChannel, RecordedLinkRow, recordedLinkColumns, redirectRecords } from "./link-row.ts";
import type { ProjectLinks } from "./project-links.ts";
import { findEditableLink, type ItemResult, linksOfUser, type UserLink } from "./user-links.ts";

/** As many links as one statement changes and records well within its timeout. */
const BATCH = 100;

interface TagDependencies {
  db: Db<"any" | "maybeOne" | "query">;
  publicBaseUrl: string;
}

export interface TagChoice {
  /** Null for the user's default channel; undefined keeps the link's. */
  channelId?: number | null | undefined;
  /** Also replaces the owner's tag by that of the channel, where it has one. */
  usesChannelTag?: boolean | undefined;
  tagSource?: TagSource | undefined;
}

/** @throws ApiError if the user has no such link or channel, or there is no such tag */
export async function changeTag(deps: TagDependencies, link: UserLink, choice: TagChoice): Promise<CodeRecord[]> {
  const { id } = await findEditableLink(deps.db, link);
  const { errors, changed } = await changeTags(deps, { ...link, ids: [id] }, choice);
  const error = errors.get(id);
  if (error !== undefined) throw error;
  return redirectRecords(changed);
}

interface BulkChange {
  userId: number;
  ids: readonly number[];
  channelId: number | null;
  usesChannelTag: boolean;
}

/** @returns for each link the code of the error for which it was not changed. If it throws, none was. */
export async function setChannels(
  deps: Omit<TagDependencies, "db"> & { db: Db<"transaction">; projectLinks: ProjectLinks },
  { userId, ids, ...choice }: BulkChange,
  budget: RedisBudget,
): Promise<ItemResult[]> {
  // In the order in which links are locked.
  const sorted = ids.toSorted((one, other) => one - other);
  const errors = new Map<number, ApiError>();
  const changed: RecordedLinkRow[] = [];
  await deps.db.transaction(async (db) => {
    for (let at = 0; at < sorted.length; at += BATCH) {
      const batch = { userId, ids: sorted.slice(at, at + BATCH) };
      const change = () => changeTags({ ...deps, db }, batch, choice);
      const done = await recordLinks(db, "link.changed", linksOfUser(batch), change);
      for (const [id, error] of done.errors) errors.set(id, error);
      changed.push(...done.changed);
    }
  });
  await deps.projectLinks(redirectRecords(changed), budget);
  return ids.map((id) => ({ id, error: errors.get(id)?.code ?? null }));
}

async function changeTags(
  { db, publicBaseUrl }: TagDependencies,
  { userId, ids }: { userId: number; ids: readonly number[] },
  choice: TagChoice,
): Promise<{ errors: Map<number, ApiError>; changed: readonly RecordedLinkRow[] }> {
  const locked = new Map((await lockLinks(db, { userId, ids })).map((link) => [link.id, link]));
  const channels = await findChannelTags(db, userId);
  requireChannel(channels, choice);
  const errors = new Map<number, ApiError>();
  const changes: ChangedLink[] = [];
  await mapInTurns([...new Set(ids)], (id) => {
    const change = planChange(publicBaseUrl, locked.get(id), choice, channels);
    if (change instanceof ApiError) errors.set(id, change);
    else changes.push(change);
  });
  const changed = changes.length === 0 ? [] : await storeChanges(db, changes);
  if (choice.tagSource === "own" && changed.length > 0) await recognizeTags(db, changed);
  return { errors, changed };
}

/** @throws ApiError (channel-not-found) */
export function requireChannel(channels: ChannelTags, { channelId = null }: Pick<TagChoice, "channelId">): void {
  if (channelId !== null && !channels.has(channelId)) throw new ApiError(channelNotFound, { field: "channelId" });
}

function planChange(
  publicBaseUrl: string,
  link: TaggedLink | undefined,
  { channelId, usesChannelTag = false, tagSource }: TagChoice,
  channels: ChannelTags,
): ChangedLink | ApiError {
  if (link === undefined) return new ApiError(linkNotFound);
  if (link.takenDown) return new ApiError(linkTakenDown);
  if (link.marketplace === null) return new ApiError(unusableLink);
  const { id, originalUrl, webUrl, hasEmptyTag } = link;
  const chosen = channelId === undefined ? link.channelId : channelId;
  // A link of Amazon Attribution has its tag, and gets no second one.
  const hasTag = !tagsAt(webUrl)?.includes(ATTRIBUTION_TAG) && channels.tagOf(chosen, link.marketplace) !== undefined;
  if (tagSource === "channel" && !hasTag) return new ApiError(channelHasNoTag);
  const isFollower = tagSource !== "own" && (link.followsChannel || usesChannelTag || tagSource === "channel");
  if (!isFollower || !hasTag) {
    const page = hasEmptyTag ? parseStorePage(originalUrl) : null;
    const addresses = page && linkAddresses(publicBaseUrl, originalUrl, page);
    return { id, channelId: chosen, followsChannel: false, ...addresses };
  }
  const addresses = hasEmptyTag ? {} : withEmptyTag(publicBaseUrl, link);
  if (addresses === null) return new ApiError(linkTooLong);
  return { id, channelId: chosen ?? channels.defaultId, followsChannel: true, ...addresses };
}

const TaggedLink = z.object({
  id: z.int(),
  originalUrl: z.string(),
  webUrl: z.string(),
  marketplace: z.nullable(z.string()),
  channelId: z.nullable(z.int()),
  followsChannel: z.boolean(),
  /** Also if its channel was just deleted. */
  hasEmptyTag: z.boolean(),
  takenDown: z.boolean(),
});
type TaggedLink = z.infer<typeof TaggedLink>;

/** Locks those of the links that the user owns, in the order of their ids. */
function lockLinks(transaction: Db<"any">, { userId, ids }: { userId: number; ids: readonly number[] }) {
  return transaction.any(sql.type(TaggedLink)`
    SELECT id, link_url(link, original_url) AS "originalUrl", link_url(link, web_url) AS "webUrl", marketplace,
      ${ownChannel} AS "channelId", ${followsChannel} AS "followsChannel", follows_channel AS "hasEmptyTag",
      taken_down_at IS NOT NULL AS "takenDown"
    FROM links link WHERE id = ANY(${sql.array(ids, "int8")}) AND user_id = ${userId}
    ORDER BY id FOR NO KEY UPDATE
  `);
}

export function storeChanges(transaction: Db<"any">, links: readonly ChangedLink[]) {
  return transaction.any(sql.type(RecordedLinkRow)`
    ${changeDestinations(links)}
    SELECT ${recordedLinkColumns} FROM link LEFT JOIN products product USING (canonical_url)
  `);
}

/** More than a user has. */
const EARLIER_TAGS = 1_000;

/** Makes the tags of the links the user's, for reports and `hasUnknownTag`. */
async function recognizeTags(transaction: Db<"query">, links: readonly Pick<RecordedLinkRow, "id">[]) {
  await transaction.query(sql.type(z.object({}))`
    INSERT INTO earlier_channel_tags (user_id, marketplace, tag, channel_id, ended_at)
    SELECT user_id, marketplace, tag, coalesce(${ownChannel}, default_channel(user_id)), '-infinity' FROM links link
    WHERE id = ANY(${sql.array(
      links.map(({ id }) => id),
      "int8",
    )}) AND tag <> ${ATTRIBUTION_TAG}
      AND (SELECT count(*) FROM earlier_channel_tags AS earlier WHERE earlier.user_id = link.user_id) < ${EARLIER_TAGS}
    ON CONFLICT DO NOTHING
  `);
}
