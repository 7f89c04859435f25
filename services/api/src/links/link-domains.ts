import { ChannelRow, channelRows, channelTagsOf } from "@tapthru/core/links/channel-tags";
import type { CreatorSettings } from "@tapthru/core/links/plan-link";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { domainNotUsable } from "@tapthru/proto/domains";
import { slugOn } from "@tapthru/proto/fields";
import { invalidBody, loginRequired, tooManyLinks } from "@tapthru/proto/general-errors";
import { sql } from "slonik";
import * as z from "zod/mini";
import { emailIsConfirmed, lockUser, requireRoom, withIdentity } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";

const UsableDomain = z.object({ host: z.string(), isDefault: z.boolean() });
export type UsableDomain = z.infer<typeof UsableDomain>;

export interface LinkDomainsDependencies {
  db: Db<"maybeOne">;
  hasDomains: boolean;
  /** LINKS_PER_ACCOUNT, and LINKS_PER_UNCONFIRMED_ACCOUNT unless nobody can confirm an address. */
  linkLimits: { confirmed: number; unconfirmed: number | null };
}

export interface LinkSettings extends CreatorSettings {
  domains: readonly UsableDomain[];
  /** Null while the account is confirmed and not full: then its links are not counted. */
  maxLinks: number | null;
}

const SettingsRow = z.object({
  channels: z.array(ChannelRow),
  domains: z.array(UsableDomain),
  maxLinks: z.nullable(z.int()),
});

/** @throws ApiError (login-required) if there is no such user, or the user of the session may not act */
export async function findLinkSettings(
  { db, hasDomains, linkLimits: { confirmed, unconfirmed } }: LinkDomainsDependencies,
  { userId, firebaseUid = null }: { userId: number; firebaseUid?: string | null },
): Promise<LinkSettings> {
  const row = await db.maybeOne(sql.prepared("find-link-settings", SettingsRow)`
    SELECT
      (SELECT coalesce(jsonb_agg(channel), '[]') FROM (${channelRows(sql.fragment`users.id`)}) AS channel) AS channels,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('host', host, 'isDefault', is_default)), '[]') FROM domains
        WHERE user_id = users.id AND verified_at IS NOT NULL AND off_at IS NULL) AS domains,
      CASE WHEN ${unconfirmed}::integer IS NOT NULL AND NOT ${emailIsConfirmed} THEN ${unconfirmed}
        WHEN EXISTS (SELECT FROM all_links WHERE user_id = users.id AND id % 10000 = 0 OFFSET ${Math.max(0, Math.floor(confirmed / 10_000) - 1)}::integer) THEN 0
      END AS "maxLinks"
    FROM ${withIdentity} WHERE users.id = ${userId} AND (${firebaseUid}::text IS NULL
      OR firebase_uid = ${firebaseUid} AND state = 'enabled'
        AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.firebase_uid = ${firebaseUid}))
  `);
  if (row === null) throw new ApiError(loginRequired);
  const { channels, domains, maxLinks } = row;
  return { channels: channelTagsOf(channels), domain: null, domains: hasDomains ? domains : [], maxLinks };
}

/** Other requests wait that create links of an account whose links are counted. @throws ApiError (too-many-links) */
export async function requireRoomForLinks(
  transaction: Db<"maybeOne" | "oneFirst">,
  { userId, maxLinks }: { userId: number; maxLinks: number | null },
  count: number,
): Promise<void> {
  if (maxLinks === null) return;
  await lockUser(transaction, userId);
  const own = sql.fragment`(SELECT FROM all_links WHERE user_id = ${userId} LIMIT ${maxLinks + 1}) AS own`;
  await requireRoom(transaction, own, maxLinks + 1 - count, tooManyLinks);
}

/** @param wanted null: the site's own host; undefined: the user's default @throws ApiError (domain-not-usable) */
export function chooseDomain(domains: readonly UsableDomain[], wanted: string | null | undefined): string | null {
  if (wanted === undefined) return domains.find(({ isDefault }) => isDefault)?.host ?? null;
  if (wanted !== null && !domains.some(({ host }) => host === wanted)) {
    throw new ApiError(domainNotUsable, { field: "domain" });
  }
  return wanted;
}

/** @returns null if links on the domain can have the name */
export function nameRefusal(name: string, domain: string | null): ApiError | null {
  const message = z.safeParse(slugOn(domain), name).error?.issues[0]?.message;
  return message === undefined ? null : new ApiError(invalidBody, { message, field: "slug" });
}
