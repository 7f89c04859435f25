import { StoreTag } from "@tapthru/proto/http/stores";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/** The user's tags, ordered by marketplace. */
export function findStoreTags(
  db: Pick<CommonQueryMethods, "any">,
  userId: number,
): Promise<readonly StoreTag[]> {
  return db.any(sql.type(StoreTag)`
    SELECT marketplace, tag FROM store_tags WHERE user_id = ${userId} ORDER BY marketplace
  `);
}

export async function upsertStoreTag(
  db: Pick<CommonQueryMethods, "query">,
  userId: number,
  { marketplace, tag }: StoreTag,
): Promise<void> {
  await db.query(sql.type(z.object({}))`
    INSERT INTO store_tags (user_id, marketplace, tag) VALUES (${userId}, ${marketplace}, ${tag})
    ON CONFLICT (user_id, marketplace) DO UPDATE SET tag = excluded.tag
  `);
}
