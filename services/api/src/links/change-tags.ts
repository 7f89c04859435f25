import type { ChangedTag } from "@tapthru/core/links/change-tags";
import { type ChannelTags, findChannelTags } from "@tapthru/core/links/channel-tags";
import { withTag } from "@tapthru/core/links/link-addresses";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { ApiError } from "../errors.ts";
import { type LinkRow, type RecordedLinkRow, redirectRecords } from "./link-row.ts";
import { planTag, type TagChoice } from "./plan-tag.ts";
import type { ProjectLinks } from "./project-links.ts";
import { type LockedLink, lockLinks, storeTags } from "./tag-queries.ts";
import { findEditableLink } from "./user-links.ts";

/** As many links as one statement changes well within its timeout. */
const BATCH = 100;

export interface TagDependencies {
  db: Db<"any" | "maybeOne" | "transaction">;
  publicBaseUrl: string;
  projectLinks: ProjectLinks;
}

/**
 * Puts a link of the user on a channel, or gives it the tag of its channel.
 * @throws ApiError if the user has no such link or channel, or there is no such tag
 */
export async function changeTag(
  deps: TagDependencies,
  link: { userId: number; shortCode: string },
  choice: TagChoice,
  budget: RedisBudget,
): Promise<LinkRow> {
  const { id } = await findEditableLink(deps.db, link);
  const { errors, changed } = await changeBatch(deps, { ...link, ids: [id] }, choice);
  const error = errors.get(id);
  if (error !== undefined) throw error;
  await deps.projectLinks(redirectRecords(changed), budget);
  return findEditableLink(deps.db, link);
}

interface BulkChange {
  userId: number;
  ids: readonly number[];
  channelId: number | null;
  usesChannelTag: boolean;
}

/** Puts several links on a channel. `error` is the code of the error for which a link was not changed. */
export async function setChannels(
  deps: TagDependencies,
  { userId, ids, ...choice }: BulkChange,
  budget: RedisBudget,
): Promise<{ id: number; error: string | null }[]> {
  const errors = new Map<number, ApiError>();
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = { userId, ids: ids.slice(at, at + BATCH) };
    const result = await changeBatch(deps, batch, choice);
    for (const [id, error] of result.errors) errors.set(id, error);
    await deps.projectLinks(redirectRecords(result.changed), budget);
  }
  return ids.map((id) => ({ id, error: errors.get(id)?.code ?? null }));
}

interface BatchResult {
  errors: Map<number, ApiError>;
  changed: readonly RecordedLinkRow[];
}

function changeBatch(
  deps: TagDependencies,
  { userId, ids }: { userId: number; ids: readonly number[] },
  choice: TagChoice,
): Promise<BatchResult> {
  return deps.db.transaction(async (transaction) => {
    const locked = new Map(
      (await lockLinks(transaction, { userId, ids })).map((link) => [link.id, link]),
    );
    const channels = await findChannelTags(transaction, userId);
    const { channelId = null } = choice;
    if (channelId !== null && !channels.has(channelId)) {
      throw new ApiError("channel-not-found", { field: "channelId" });
    }
    const errors = new Map<number, ApiError>();
    const changes: ChangedTag[] = [];
    for (const id of new Set(ids)) {
      const link = locked.get(id);
      const change = plannedChange(deps, link, choice, channels);
      if (change instanceof ApiError) errors.set(id, change);
      else changes.push(change);
    }
    return { errors, changed: changes.length === 0 ? [] : await storeTags(transaction, changes) };
  });
}

function plannedChange(
  deps: Pick<TagDependencies, "publicBaseUrl">,
  link: LockedLink | undefined,
  choice: TagChoice,
  channels: ChannelTags,
): ChangedTag | ApiError {
  if (link === undefined) return new ApiError("link-not-found");
  if (link.takenDown) return new ApiError("link-taken-down");
  const page = parseStorePage(link.webUrl);
  if (page === null) return new ApiError("unusable-link");
  const plan = planTag({ ...link, marketplace: page.marketplace }, choice, channels);
  if (plan instanceof ApiError) return plan;
  const { newTag, ...channel } = plan;
  if (newTag === null) return { id: link.id, ...channel };
  const addresses = withTag(deps.publicBaseUrl, link, newTag);
  if (addresses === null) return new ApiError("link-too-long");
  return { id: link.id, ...channel, ...addresses };
}
