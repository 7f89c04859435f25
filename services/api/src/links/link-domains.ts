import { ChannelRow, channelRows, channelTagsOf } from "@tapthru/core/links/channel-tags";
import type { CreatorSettings } from "@tapthru/core/links/plan-link";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { domainNotUsable } from "@tapthru/proto/domains";
import { slugOn } from "@tapthru/proto/fields";
import { invalidBody, loginRequired } from "@tapthru/proto/general-errors";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";

const UsableDomain = z.object({ host: z.string(), isDefault: z.boolean() });
export type UsableDomain = z.infer<typeof UsableDomain>;

export interface LinkDomainsDependencies {
  db: Db<"maybeOne">;
  hasDomains: boolean;
}

export interface LinkSettings extends CreatorSettings {
  domains: readonly UsableDomain[];
}

const SettingsRow = z.object({ channels: z.array(ChannelRow), domains: z.array(UsableDomain) });

/** @throws ApiError (login-required) if there is no such user, or the user of the session may not act */
export async function findLinkSettings(
  { db, hasDomains }: LinkDomainsDependencies,
  { userId, firebaseUid = null }: { userId: number; firebaseUid?: string | null },
): Promise<LinkSettings> {
  const row = await db.maybeOne(sql.prepared("find-link-settings", SettingsRow)`
    SELECT
      (SELECT coalesce(jsonb_agg(channel), '[]') FROM (${channelRows(sql.fragment`users.id`)}) AS channel) AS channels,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('host', host, 'isDefault', is_default)), '[]') FROM domains
        WHERE user_id = users.id AND verified_at IS NOT NULL AND off_at IS NULL) AS domains
    FROM users WHERE id = ${userId} AND (${firebaseUid}::text IS NULL
      OR firebase_uid = ${firebaseUid} AND state = 'enabled'
        AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.firebase_uid = ${firebaseUid}))
  `);
  if (row === null) throw new ApiError(loginRequired);
  return { channels: channelTagsOf(row.channels), domain: null, domains: hasDomains ? row.domains : [] };
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
