import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { go, LinkPattern } from "@tapthru/proto/patterns";
import { sql } from "slonik";
import * as z from "zod/mini";

export const PatternRow = z.omit(LinkPattern, { prefix: true });
export type PatternRow = z.infer<typeof PatternRow>;

export const patternColumns = sql.fragment`
  pattern.id, name, tags, channel_id AS "channelId", uses_channel_tag AS "usesChannelTag",
  utc_text(pattern.created_at) AS "createdAt", "linkCount", "linkCountOfDay"
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

export const patternReply = (row: PatternRow, publicBaseUrl: string): LinkPattern => ({
  ...row,
  prefix: `${publicBaseUrl}${go.path}?p=${row.id}&url=`,
});
