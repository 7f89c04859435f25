import {
  PATTERN_LINKS_MAX_COUNT,
  PATTERN_LINKS_PER_DAY_MAX_COUNT,
  PATTERNS_MAX_COUNT,
} from "@tapthru/proto/rules/limits";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const Nothing = z.object({});

const PatternRow = z.object({
  id: z.string(),
  name: z.string(),
  /** Unix milliseconds. */
  createdAt: z.number(),
});
export type PatternRow = z.infer<typeof PatternRow>;

/** The user's patterns, newest first. */
export function findPatterns(
  db: Pick<CommonQueryMethods, "any">,
  userId: number,
): Promise<readonly PatternRow[]> {
  return db.any(sql.type(PatternRow)`
    SELECT id, name, created_at AS "createdAt" FROM link_patterns
    WHERE user_id = ${userId} ORDER BY created_at DESC, id
  `);
}

/** @returns null if the user has PATTERNS_MAX_COUNT; concurrent requests may exceed it by a few */
export function insertPattern(
  db: Pick<CommonQueryMethods, "maybeOne">,
  { id, userId, name }: { id: string; userId: number; name: string },
): Promise<PatternRow | null> {
  return db.maybeOne(sql.type(PatternRow)`
    INSERT INTO link_patterns (id, user_id, name)
    SELECT ${id}, ${userId}, ${name}
    WHERE (SELECT count(*) FROM link_patterns WHERE user_id = ${userId}) < ${PATTERNS_MAX_COUNT}
    RETURNING id, name, created_at AS "createdAt"
  `);
}

/** @returns whether the user had the pattern */
export async function removePattern(
  db: Pick<CommonQueryMethods, "maybeOne">,
  { id, userId }: { id: string; userId: number },
): Promise<boolean> {
  const removed = await db.maybeOne(sql.type(z.object({ id: z.string() }))`
    DELETE FROM link_patterns WHERE id = ${id} AND user_id = ${userId} RETURNING id
  `);
  return removed !== null;
}

export interface PatternAddress {
  patternId: string;
  /** SHA-256 of webUrl. */
  addressHash: Buffer;
}

const PatternVisit = z.object({
  userId: z.int(),
  /** Null if the address has no link yet. */
  shortCode: z.nullable(z.string()),
  takenDown: z.nullable(z.boolean()),
  isExpired: z.nullable(z.boolean()),
});
export type PatternVisit = z.infer<typeof PatternVisit>;

/** @returns null if there is no such pattern */
export function findPatternLink(
  db: Pick<CommonQueryMethods, "maybeOne">,
  { patternId, addressHash }: PatternAddress,
): Promise<PatternVisit | null> {
  return db.maybeOne(sql.type(PatternVisit)`
    SELECT pattern.user_id AS "userId", link.short_code AS "shortCode",
      link.taken_down_at IS NOT NULL AS "takenDown", link.expires_at <= now() AS "isExpired"
    FROM link_patterns pattern
    LEFT JOIN pattern_links visited
      ON visited.pattern_id = pattern.id AND visited.address_hash = ${sql.binary(addressHash)}
    LEFT JOIN links link ON link.id = visited.link_id
    WHERE pattern.id = ${patternId}
  `);
}

/** Visits that create links of one pattern run one after another, so that an address gets one link. */
export async function lockPattern(
  transaction: Pick<CommonQueryMethods, "query">,
  patternId: string,
): Promise<void> {
  await transaction.query(sql.type(Nothing)`
    SELECT pg_advisory_xact_lock(hashtext('link_patterns'), hashtext(${patternId}))
  `);
}

/** Whether the pattern may create a further link now. */
export function hasRoom(
  transaction: Pick<CommonQueryMethods, "oneFirst">,
  patternId: string,
): Promise<boolean> {
  return transaction.oneFirst(sql.type(z.object({ hasRoom: z.boolean() }))`
    SELECT count(*) < ${PATTERN_LINKS_MAX_COUNT}
      AND count(*) FILTER (WHERE link.created_at > now() - interval '24 hours')
        < ${PATTERN_LINKS_PER_DAY_MAX_COUNT} AS "hasRoom"
    FROM pattern_links JOIN links link ON link.id = link_id WHERE pattern_id = ${patternId}
  `);
}

export async function insertPatternLink(
  transaction: Pick<CommonQueryMethods, "query">,
  { patternId, addressHash }: PatternAddress,
  linkId: number,
): Promise<void> {
  await transaction.query(sql.type(Nothing)`
    INSERT INTO pattern_links (pattern_id, address_hash, link_id)
    VALUES (${patternId}, ${sql.binary(addressHash)}, ${linkId})
  `);
}
