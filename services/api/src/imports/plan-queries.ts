import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { OwnLink, UsedCode } from "./plan-lines.ts";

const UsedCodeRow = z.object({
  code: z.string(),
  ownCode: z.nullable(z.string()),
  webUrl: z.nullable(z.string()),
});

/** Those of the codes that cannot be used, with the user's own links that they open. */
export function findUsedCodes(
  db: Pick<CommonQueryMethods, "any">,
  { userId, codes }: { userId: number; codes: readonly string[] },
): Promise<readonly UsedCode[]> {
  const wanted = sql.fragment`(SELECT unnest(${sql.array(codes, "text")}))`;
  return db.any(sql.type(UsedCodeRow)`
    SELECT used.code, own.short_code AS "ownCode", own.web_url AS "webUrl"
    FROM (
      SELECT short_code AS code, id FROM links WHERE short_code IN ${wanted}
      UNION SELECT short_code, link_id FROM link_codes WHERE short_code IN ${wanted}
      UNION SELECT short_code, NULL FROM retired_codes WHERE short_code IN ${wanted}
    ) AS used LEFT JOIN links own ON own.id = used.id AND own.user_id = ${userId}
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
