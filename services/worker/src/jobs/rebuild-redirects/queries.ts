import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const LinkCode = z.object({ id: z.int(), shortCode: z.string() });

/** The codes of the next `limit` links by id: the current one of each, and earlier ones. */
export function findNextCodes(
  db: CommonQueryMethods,
  afterId: number,
  limit: number,
): Promise<readonly z.infer<typeof LinkCode>[]> {
  return db.any(sql.type(LinkCode)`
    WITH page AS (
      SELECT id, short_code, has_earlier_codes FROM links
      WHERE id > ${afterId} ORDER BY id LIMIT ${limit}
    )
    SELECT id, short_code AS "shortCode" FROM page
    UNION ALL
    SELECT page.id, code.short_code FROM page JOIN link_codes code ON code.link_id = page.id
    WHERE page.has_earlier_codes AND code.short_code <> page.short_code
    ORDER BY id
  `);
}
