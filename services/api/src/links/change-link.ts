import { recordLinks } from "@tapthru/core/events";
import { type Destination, findChannelTags, newLinkAddresses } from "@tapthru/core/links/channel-tags";
import type { OwnerValues } from "@tapthru/core/links/owner-columns";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { linkNotFound, linkTakenDown } from "@tapthru/proto/general-errors";
import type { updateLink } from "@tapthru/proto/links";
import type { OwnerField } from "@tapthru/proto/owner-fields";
import type { Context } from "koa";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { type Caller, countUserRequest } from "../callers/guards.ts";
import { requireScope } from "../callers/key-access.ts";
import { lockingUser } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";
import { changeCode } from "./change-code.ts";
import { changeTag, requireChannel, storeChanges, type TagChoice } from "./change-tags.ts";
import { claimLink } from "./claim-link.ts";
import { type RequestState, type ResolveDependencies, resolvePage } from "./destination.ts";
import { replaceLabels } from "./labels.ts";
import { chooseDomain, findLinkSettings, type LinkDomainsDependencies } from "./link-domains.ts";
import { followsChannel, type LinkRow, ownChannel, redirectRecords } from "./link-row.ts";
import type { ProjectLinks } from "./project-links.ts";
import { changeOwnerFields, findEditableLink, getLink, type UserLink } from "./user-links.ts";

/** Undefined fields stay as they are. */
export interface LinkChange extends OwnerValues, Omit<z.output<typeof updateLink.body>, "userId" | OwnerField> {
  /** The user claims the link with the claim token that has this SHA-256; null without one. */
  claimHash?: Buffer | null | undefined;
}

interface Changing {
  db: Db<"any" | "exists" | "maybeOne" | "oneFirst" | "query" | "transaction">;
  publicBaseUrl: string;
}

export interface ChangeLinkDependencies extends ResolveDependencies, LinkDomainsDependencies, Changing {
  db: Changing["db"];
  projectLinks: ProjectLinks;
}

/** Counts a change that can create a short code or read an address of Amazon as the creation of a link. */
export async function countChange(api: Api, ctx: Context, caller: Caller, change: LinkChange): Promise<void> {
  const { slug, domain, url } = change;
  if ([slug, domain, url].some((value) => value !== undefined)) {
    await countUserRequest(api.generateLimit, ctx, caller.userId);
  }
}

/** Runs a write whose reply shows the link. @throws ApiError for a key without `links:read`, if it changed nothing */
export async function tellingChange(
  { db }: Pick<Changing, "db">,
  { userId, scopes }: Caller,
  shortCode: string,
  write: () => Promise<LinkRow>,
): Promise<LinkRow> {
  const before = scopes && (await getLink(db, { userId, shortCode }));
  const after = await write();
  const isChanged = JSON.stringify({ ...before, revision: after.revision }) !== JSON.stringify(after);
  if (!isChanged) requireScope(scopes, "links:read");
  return after;
}

export async function changeLink(
  app: ChangeLinkDependencies,
  link: UserLink,
  { claimHash, labels: refs, labelsRevision: revision, slug, domain, url, channelId, tagSource, ...fields }: LinkChange,
  state: RequestState,
): Promise<LinkRow> {
  if (domain !== undefined) chooseDomain((await findLinkSettings(app, link)).domains, domain);
  if (url !== undefined && claimHash === undefined) await findEditableLink(app.db, link);
  const destination = url === undefined ? undefined : await resolvePage(app, url, state);
  const isGiven = (value: unknown) => value !== undefined;
  // Also tags of channels change under this lock, and changes of one link cannot wait for each other.
  const [row, records] = await lockingUser(app.db, link.userId, async (db) => {
    const changed = claimHash === undefined ? [] : await claimLink({ ...app, db }, link, claimHash);
    // In this order: a tag is that of the new destination, and a code that becomes an earlier one opens what the link has at the end.
    await recordLinks(db, "link.changed", sql.fragment`link.id = find_link_id(${link.shortCode})`, async () => {
      const { publicBaseUrl } = app;
      const tag = { channelId, tagSource };
      if (refs !== undefined) {
        const { id: linkId } = await getLink(db, link);
        await replaceLabels(db, { userId: link.userId, linkId, refs, revision });
      }
      if (Object.values(fields).some(isGiven)) changed.push(...(await changeOwnerFields(db, link, fields)));
      if (destination) changed.push(...(await changeDestination({ db, publicBaseUrl }, link, { ...tag, destination })));
      if ([channelId, tagSource].some(isGiven)) changed.push(...(await changeTag({ db, publicBaseUrl }, link, tag)));
      if ([slug, domain].some(isGiven)) changed.push(...(await changeCode(db, link, { slug, domain })));
    });
    return [await getLink(db, link), changed] as const;
  });
  await app.projectLinks(records, state.redisBudget);
  return row;
}

interface NewDestination extends TagChoice {
  destination: Destination;
}

/**
 * Changes the destination of a link, and its channel if one is chosen, and keeps the one before. Title and image follow the new page,
 * unless the owner set them. A link with the tag of its channel gets that of the new store if the address has none; otherwise the tag
 * is the owner's. The address that the link has already changes nothing.
 * @throws ApiError if the link was taken down or is unknown, or the user has no such channel
 */
async function changeDestination(
  { db, publicBaseUrl }: Pick<Changing, "publicBaseUrl"> & { db: Db<"any" | "maybeOne"> },
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
