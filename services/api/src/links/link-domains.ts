import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { domainNotUsable } from "@tapthru/proto/domains";
import { slugOn } from "@tapthru/proto/fields";
import { invalidBody } from "@tapthru/proto/general-errors";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";

const UsableDomain = z.object({ host: z.string(), isDefault: z.boolean() });
/** A domain of the user that links can be on. */
export type UsableDomain = z.infer<typeof UsableDomain>;

export interface LinkDomainsDependencies {
  db: Db<"any">;
  hasDomains: boolean;
}

export async function findUsableDomains(
  { db, hasDomains }: LinkDomainsDependencies,
  userId: number,
): Promise<readonly UsableDomain[]> {
  if (!hasDomains) return [];
  return db.any(sql.prepared("find-usable-domains", UsableDomain)`
    SELECT host, is_default AS "isDefault" FROM domains
    WHERE user_id = ${userId} AND verified_at IS NOT NULL AND off_at IS NULL
  `);
}

/**
 * The domain of a link.
 * @param wanted null: the site's own host; undefined: the user's default
 * @throws ApiError (domain-not-usable)
 */
export function chooseDomain(domains: readonly UsableDomain[], wanted: string | null | undefined): string | null {
  if (wanted === undefined) return domains.find(({ isDefault }) => isDefault)?.host ?? null;
  if (wanted !== null && !domains.some(({ host }) => host === wanted)) {
    throw new ApiError(domainNotUsable, { field: "domain" });
  }
  return wanted;
}

export const isAllowedName = (name: string, domain: string | null) => z.safeParse(slugOn(domain), name).success;

/** @throws ApiError if links on the domain cannot have the name */
export function requireAllowedName(name: string, domain: string | null): void {
  const message = z.safeParse(slugOn(domain), name).error?.issues[0]?.message;
  if (message !== undefined) throw new ApiError(invalidBody, { message, field: "slug" });
}
