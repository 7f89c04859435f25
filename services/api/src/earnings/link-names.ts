import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { displayName } from "@tapthru/proto/rules/display-name";
import { sql } from "slonik";
import * as z from "zod/mini";

const LinkName = z.object({
  id: z.int(),
  shortCode: z.string(),
  nickname: z.nullable(z.string()),
  title: z.nullable(z.string()),
  originalUrl: z.string(),
  marketplace: z.nullable(z.string()),
  asin: z.nullable(z.string()),
});

/** Finds the codes and names of links of the user that are not deleted. */
export async function findLinkNames(
  { db, publicBaseUrl }: { db: Db<"any">; publicBaseUrl: string },
  userId: number,
  linkIds: readonly number[],
) {
  const found = await db.any(sql.type(LinkName)`
    SELECT link.id, link.short_code AS "shortCode", link.nickname, coalesce(link.title, product.title, link.page_title) AS title,
      link.original_url AS "originalUrl", link.marketplace, link.asin
    FROM links AS link LEFT JOIN products AS product USING (canonical_url)
    WHERE link.id = ANY(${sql.array(linkIds, "int8")}) AND link.user_id = ${userId}
  `);
  const host = new URL(publicBaseUrl).host;
  return found.map(({ nickname, title, originalUrl, ...link }) => {
    return { ...link, name: displayName({ nickname, title, originalUrl }, host) };
  });
}
