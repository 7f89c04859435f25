import { insertLinkChanges } from "@tapthru/core/outbox";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../errors.ts";
import { type LinkRow, RecordedLinkRow, recordedLinkColumns, redirectRecords } from "./link-row.ts";
import { type ChangeDependencies, findOwnLink, linkNotFound, type UserLink } from "./user-links.ts";

/**
 * Claims an anonymous link with the claim token it was created with.
 * @param claimHash SHA-256 of the claim token; null without one
 */
export async function claimForUser(
  { db, projectLinks }: ChangeDependencies,
  link: UserLink,
  claimHash: Buffer | null,
  budget: RedisBudget,
): Promise<LinkRow> {
  const claim = claimHash && { ...link, claimHash };
  const claimed = claim && (await claimLink(db, claim));
  if (claimed) {
    await projectLinks(redirectRecords([claimed]), budget);
    return claimed;
  }
  const ownLink = await findOwnLink(db, link);
  if (ownLink) return ownLink;
  switch (claim && (await findClaimRefusal(db, claim))) {
    case "expired":
      throw new ApiError("link-expired");
    case "taken-down":
      throw new ApiError("link-not-available");
    default:
      throw linkNotFound();
  }
}

interface Claim extends UserLink {
  /** SHA-256 of the claim token. */
  claimHash: Buffer;
}

/** Makes the user the permanent owner of an anonymous link; null if there is no such claimable link. */
function claimLink(db: Db<"maybeOne">, { shortCode, userId, claimHash }: Claim) {
  return db.maybeOne(sql.type(RecordedLinkRow)`
    WITH link AS (
      UPDATE links
      SET user_id = ${userId}, expires_at = NULL, claim_hash = NULL, revision = revision + 1
      WHERE short_code = ${shortCode} AND user_id IS NULL AND claim_hash = ${sql.binary(claimHash)}
        AND expires_at > now() AND taken_down_at IS NULL
      RETURNING *
    ), change AS (
      ${insertLinkChanges}
    ), recent AS (
      DELETE FROM recent_creates USING link WHERE recent_creates.short_code = link.short_code
    )
    SELECT ${recordedLinkColumns} FROM link LEFT JOIN products product USING (canonical_url)
  `);
}

const ClaimRefusal = z.object({ reason: z.enum(["expired", "taken-down"]) });

/** Why a link with this claim token cannot be claimed; null for reasons that must not be revealed. */
async function findClaimRefusal(
  db: Db<"maybeOne">,
  { shortCode, claimHash }: Pick<Claim, "shortCode" | "claimHash">,
): Promise<z.infer<typeof ClaimRefusal>["reason"] | null> {
  const row = await db.maybeOne(sql.type(ClaimRefusal)`
    SELECT CASE WHEN taken_down_at IS NOT NULL THEN 'taken-down' ELSE 'expired' END AS reason
    FROM links
    WHERE short_code = ${shortCode} AND claim_hash = ${sql.binary(claimHash)}
      AND (taken_down_at IS NOT NULL OR expires_at <= now())
    UNION ALL
    SELECT reason FROM retired_codes WHERE short_code = ${shortCode} AND reason = 'expired'
  `);
  return row?.reason ?? null;
}
