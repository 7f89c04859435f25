import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const LinkCode = z.object({ id: z.int(), shortCode: z.string() });

/** The next `limit` links by id. */
export function findNextCodes(
  db: CommonQueryMethods,
  afterId: number,
  limit: number,
): Promise<readonly z.infer<typeof LinkCode>[]> {
  return db.any(sql.type(LinkCode)`
    SELECT id, short_code AS "shortCode" FROM links
    WHERE id > ${afterId} ORDER BY id LIMIT ${limit}
  `);
}
