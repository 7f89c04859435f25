import { recordLinks } from "@tapthru/core/events";
import { insertLinkChanges } from "@tapthru/core/outbox";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { ERRORS } from "@tapthru/proto/errors";
import { sql } from "slonik";
import * as z from "zod/mini";
import { lockUser } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";
import { findLinkSettings, type LinkDomainsDependencies, requireRoomForLinks } from "./link-domains.ts";
import { RecordedLinkRow, recordedLinkColumns, redirectRecords } from "./link-row.ts";
import type { UserLink } from "./user-links.ts";

type ClaimDependencies = LinkDomainsDependencies & { db: Db<"any" | "transaction"> };

interface Claim {
  userId: number;
  shortCodes: readonly string[];
  /** SHA-256 of the claim token with which the links were created; null without one. */
  claimHash: Buffer | null;
}

/** @returns the redirect records of those that were claimed, and the error of each that is not the user's */
export async function claimLinks(app: ClaimDependencies, claim: Claim) {
  const { db } = app;
  const { userId, shortCodes } = claim;
  const { maxLinks } = await findLinkSettings(app, { userId });
  const claimed = await db.transaction(async (transaction) => {
    if (maxLinks !== null) await lockUser(transaction, userId);
    const which = sql.fragment`link.short_code = ANY(${sql.array(shortCodes, "text")})`;
    const links = await recordLinks(transaction, "link.claimed", which, () => makeOwner(transaction, claim));
    const ids = links.map(({ id }) => id);
    await transaction.query(sql.type(z.object({}))`SELECT give_creation(${userId}, ${sql.array(ids, "int8")})`);
    await takeClicks(transaction, links);
    if (links.length > 0) await requireRoomForLinks(transaction, { userId, maxLinks }, 0);
    return links;
  });
  return { records: redirectRecords(claimed), results: await findClaimResults(db, claim) };
}

export async function claimLink(
  app: ClaimDependencies,
  { userId, shortCode }: UserLink,
  claimHash: Buffer | null,
): Promise<CodeRecord[]> {
  const { records, results } = await claimLinks(app, { userId, shortCodes: [shortCode], claimHash });
  if (results[0]?.error) throw new ApiError(ERRORS[results[0].error]);
  return records;
}

function makeOwner(transaction: Db<"any">, { shortCodes, userId, claimHash }: Claim) {
  return transaction.any(sql.type(RecordedLinkRow)`
    WITH claimable AS (
      SELECT id FROM links
      WHERE short_code = ANY(${sql.array(shortCodes, "text")}) AND user_id IS NULL
        AND claim_hash = ${claimHash && sql.binary(claimHash)} AND expires_at > now() AND taken_down_at IS NULL
      ORDER BY id FOR UPDATE
    ), link AS (
      UPDATE links
      SET user_id = ${userId}, expires_at = NULL, claim_hash = NULL, revision = revision + 1
      FROM claimable WHERE links.id = claimable.id
      RETURNING links.*
    ), change AS (
      ${insertLinkChanges}
    ), recent AS (
      DELETE FROM recent_creates USING link WHERE recent_creates.short_code = link.short_code
    )
    SELECT ${recordedLinkColumns} FROM link LEFT JOIN products product USING (canonical_url)
  `);
}

/**
 * Makes the earlier clicks of links those of their owners. A statement of its own: it sees what the worker stored while the links were
 * not yet locked.
 */
async function takeClicks(transaction: Db<"query">, links: readonly Pick<RecordedLinkRow, "id">[]) {
  const ids = links.map(({ id }) => id);
  if (ids.length === 0) return;
  await transaction.query(sql.type(z.object({}))`
    UPDATE clicks SET user_id = link.user_id FROM links AS link
    WHERE link.id = ANY(${sql.array(ids, "int8")}) AND link_id = link.id
      AND day >= (SELECT min(created_at) - interval '1 day' FROM links WHERE id = ANY(${sql.array(ids, "int8")}))::date
  `);
}

const ClaimResult = z.object({
  shortCode: z.string(),
  error: z.nullable(z.enum(["link-not-available", "link-expired", "link-not-found"])),
});

/** Says no more about a link of others than about an unknown one. */
function findClaimResults(db: Db<"any">, { shortCodes, userId, claimHash }: Claim) {
  const hash = claimHash && sql.binary(claimHash);
  return db.any(sql.type(ClaimResult)`
    SELECT code AS "shortCode", CASE
      WHEN link.user_id = ${userId} THEN NULL
      WHEN link.claim_hash = ${hash} AND link.taken_down_at IS NOT NULL THEN 'link-not-available'
      WHEN link.claim_hash = ${hash} AND link.expires_at <= now() THEN 'link-expired'
      WHEN ${claimHash !== null}
        AND EXISTS (SELECT FROM retired_codes WHERE short_code = code AND reason = 'expired') THEN 'link-expired'
      ELSE 'link-not-found'
    END AS error
    FROM unnest(${sql.array(shortCodes, "text")}) WITH ORDINALITY AS wanted (code, place)
    LEFT JOIN links link ON link.id = find_link_id(code)
    ORDER BY place
  `);
}
