import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { OwnLink, UsedCode } from "./plan-lines.ts";

/** Those of the codes that cannot be used, with the destinations of the user's own links. */
export function findUsedCodes(
  db: Pick<CommonQueryMethods, "any">,
  { userId, codes }: { userId: number; codes: readonly string[] },
): Promise<readonly UsedCode[]> {
  const wanted = sql.fragment`(SELECT unnest(${sql.array(codes, "text")}))`;
  return db.any(sql.type(z.object({ code: z.string(), webUrl: z.nullable(z.string()) }))`
    SELECT short_code AS code, CASE WHEN user_id = ${userId} THEN web_url END AS "webUrl"
    FROM links WHERE short_code IN ${wanted}
    UNION ALL SELECT short_code, NULL FROM retired_codes WHERE short_code IN ${wanted}
    UNION ALL SELECT short_code, NULL FROM link_codes
    WHERE short_code IN ${wanted} AND NOT EXISTS (SELECT FROM links WHERE links.short_code = link_codes.short_code)
  `);
}

/** The user's links that lead to one of the addresses and have not expired. */
export function findOwnLinks(
  db: Pick<CommonQueryMethods, "any">,
  { userId, webUrls }: { userId: number; webUrls: readonly string[] },
): Promise<readonly OwnLink[]> {
  const OwnLinkRow = z.object({
    code: z.string(),
    webUrl: z.string(),
    nickname: z.nullable(z.string()),
  });
  return db.any(sql.type(OwnLinkRow)`
    SELECT short_code AS code, web_url AS "webUrl", nickname FROM links
    WHERE user_id = ${userId} AND web_url = ANY (${sql.array(webUrls, "text")})
      AND (expires_at IS NULL OR expires_at > now())
    ORDER BY id
  `);
}
