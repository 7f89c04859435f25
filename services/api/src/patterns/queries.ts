import { hasNoOwnerFields } from "@tapthru/core/links/owner-columns";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { go, type LinkPattern } from "@tapthru/proto/http/patterns";
import { sql } from "slonik";
import * as z from "zod/mini";

const Nothing = z.object({});

const PatternRow = z.object({
  id: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  channelId: z.nullable(z.int()),
  usesChannelTag: z.boolean(),
  /** Unix milliseconds. */
  createdAt: z.number(),
  linkCount: z.int(),
  linkCountOfDay: z.int(),
});
export type PatternRow = z.infer<typeof PatternRow>;

const patternColumns = sql.fragment`
  pattern.id, name, tags, channel_id AS "channelId", uses_channel_tag AS "usesChannelTag",
  pattern.created_at AS "createdAt", "linkCount", "linkCountOfDay"
`;

/** The use of each `pattern` of a statement. */
export const joinUse = sql.fragment`CROSS JOIN LATERAL (
    SELECT count(*)::int AS "linkCount",
      (count(*) FILTER (WHERE created_at > now() - interval '24 hours'))::int AS "linkCountOfDay"
    FROM pattern_links WHERE pattern_id = pattern.id
  ) AS use`;

/** The user's patterns, newest first. */
export function findPatterns(db: Db<"any">, userId: number) {
  return db.any(sql.type(PatternRow)`
    SELECT ${patternColumns} FROM link_patterns pattern ${joinUse}
    WHERE user_id = ${userId} ORDER BY pattern.created_at DESC, pattern.id
  `);
}

export function countPatterns(transaction: Db<"oneFirst">, userId: number) {
  return transaction.oneFirst(sql.type(z.object({ count: z.int() }))`
    SELECT count(*)::int AS count FROM link_patterns WHERE user_id = ${userId}
  `);
}

export function insertPattern(
  transaction: Db<"one">,
  { id, userId, name }: { id: string; userId: number; name: string },
) {
  return transaction.one(sql.type(PatternRow)`
    INSERT INTO link_patterns (id, user_id, name) VALUES (${id}, ${userId}, ${name})
    RETURNING id, name, tags, channel_id AS "channelId", uses_channel_tag AS "usesChannelTag",
      created_at AS "createdAt", 0 AS "linkCount", 0 AS "linkCountOfDay"
  `);
}

/** What is undefined stays. */
interface PatternChange {
  id: string;
  userId: number;
  tags?: readonly string[] | undefined;
  channelId?: number | null | undefined;
  usesChannelTag?: boolean | undefined;
}

/** @returns null if the user has no such pattern */
export function changePattern(
  db: Db<"maybeOne">,
  { id, userId, tags, channelId, usesChannelTag }: PatternChange,
) {
  return db.maybeOne(sql.type(PatternRow)`
    WITH pattern AS (
      UPDATE link_patterns SET
        tags = coalesce(${tags === undefined ? null : sql.array(tags, "text")}::text[], tags),
        channel_id = CASE
          WHEN ${channelId !== undefined}::boolean THEN ${channelId ?? null}::integer ELSE channel_id
        END,
        uses_channel_tag = coalesce(${usesChannelTag ?? null}::boolean, uses_channel_tag)
      WHERE id = ${id} AND user_id = ${userId}
      RETURNING *
    )
    SELECT ${patternColumns} FROM pattern ${joinUse}
  `);
}

/** @returns whether the user had the pattern */
export async function removePattern(
  db: Db<"maybeOne">,
  { id, userId }: { id: string; userId: number },
): Promise<boolean> {
  const removed = await db.maybeOne(sql.type(z.object({ id: z.string() }))`
    DELETE FROM link_patterns WHERE id = ${id} AND user_id = ${userId} RETURNING id
  `);
  return removed !== null;
}

const LinkIds = z.object({ ids: z.array(z.int()) });

/** Some of the links of a pattern. @returns null if the user has no such pattern */
export async function findPatternLinkIds(
  db: Db<"maybeOne">,
  { id, userId, limit }: { id: string; userId: number; limit: number },
): Promise<number[] | null> {
  const row = await db.maybeOne(sql.type(LinkIds)`
    SELECT to_jsonb(ARRAY(
      SELECT link_id FROM pattern_links WHERE pattern_id = pattern.id LIMIT ${limit}
    )) AS ids
    FROM link_patterns pattern WHERE id = ${id} AND user_id = ${userId}
  `);
  return row?.ids ?? null;
}

/**
 * The oldest links of a pattern that may be unvisited: older than a day, so that all clicks are counted, never found to be
 * visited again, and neither changed by their owner nor taken down.
 */
export async function findOldPatternLinkIds(
  db: Db<"any">,
  { patternId, limit }: { patternId: string; limit: number },
): Promise<number[]> {
  const rows = await db.any(sql.type(z.object({ id: z.int() }))`
    SELECT link.id FROM pattern_links visited JOIN links link ON link.id = visited.link_id
    WHERE pattern_id = ${patternId} AND NOT was_visited_again
      AND link.created_at < now() - interval '24 hours' AND taken_down_at IS NULL
      AND ${hasNoOwnerFields} AND routing IS NULL
      AND NOT EXISTS (SELECT FROM link_labels WHERE link_labels.link_id = link.id)
      AND NOT EXISTS (SELECT FROM link_codes WHERE link_codes.link_id = link.id)
    ORDER BY link.id LIMIT ${limit}
  `);
  return rows.map((row) => row.id);
}

export async function markVisitedAgain(db: Db<"query">, linkIds: readonly number[]) {
  await db.query(sql.type(Nothing)`
    UPDATE pattern_links SET was_visited_again = true WHERE link_id = ANY(${sql.array(linkIds, "int8")})
  `);
}

export function patternReply(
  { createdAt, ...pattern }: PatternRow,
  publicBaseUrl: string,
): LinkPattern {
  return {
    ...pattern,
    prefix: `${publicBaseUrl}${go.path}?p=${pattern.id}&url=`,
    createdAt: new Date(createdAt).toISOString(),
  };
}
