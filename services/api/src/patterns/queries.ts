import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { go, type LinkPattern } from "@tapthru/proto/patterns";
import { sql } from "slonik";
import * as z from "zod/mini";

export const PatternRow = z.object({
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

export const patternColumns = sql.fragment`
  pattern.id, name, tags, channel_id AS "channelId", uses_channel_tag AS "usesChannelTag",
  pattern.created_at AS "createdAt", "linkCount", "linkCountOfDay"
`;

export const joinUse = sql.fragment`CROSS JOIN LATERAL (
    SELECT count(*)::int AS "linkCount",
      (count(*) FILTER (WHERE created_at > now() - interval '24 hours'))::int AS "linkCountOfDay"
    FROM pattern_links WHERE pattern_id = pattern.id
  ) AS use`;

export function findPatterns(db: Db<"any">, userId: number) {
  return db.any(sql.type(PatternRow)`
    SELECT ${patternColumns} FROM link_patterns pattern ${joinUse}
    WHERE user_id = ${userId} ORDER BY pattern.created_at DESC, pattern.id
  `);
}

export function patternReply({ createdAt, ...pattern }: PatternRow, publicBaseUrl: string): LinkPattern {
  return {
    ...pattern,
    prefix: `${publicBaseUrl}${go.path}?p=${pattern.id}&url=`,
    createdAt: new Date(createdAt).toISOString(),
  };
}
