import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { sql } from "slonik";
import * as z from "zod/mini";

const StoredPage = z.object({
  canonicalUrl: z.string(),
  title: z.nullable(z.string()),
  description: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  siteName: z.nullable(z.string()),
  /** Failed reads since the last successful one. */
  attempts: z.int(),
  wasRead: z.boolean(),
  isDue: z.boolean(),
});
export type StoredPage = z.infer<typeof StoredPage>;

export interface ProductKey {
  productId: string;
  marketplace: Marketplace;
}

/** Finds the page of a product, the most recently read one if there are several; null if no link leads there. */
export function findPage(db: Db<"maybeOne">, { productId, marketplace }: ProductKey) {
  return db.maybeOne(sql.type(StoredPage)`
    SELECT canonical_url AS "canonicalUrl", title, description, image_url AS "imageUrl",
      site_name AS "siteName", attempts, fetched_at IS NOT NULL AS "wasRead",
      coalesce(next_attempt_at <= now(), false) AS "isDue"
    FROM products
    WHERE product_id = ${productId} AND marketplace = ${marketplace}
    ORDER BY fetched_at DESC NULLS LAST, canonical_url
    LIMIT 1
  `);
}
