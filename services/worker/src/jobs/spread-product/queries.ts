import { insertLinkChanges } from "@tapthru/runtime/link-changes";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/** What a page shows, at one of its revisions. */
export interface PageRevision {
  canonicalUrl: string;
  revision: number;
}

const Batch = z.object({
  count: z.int(),
  /** Null when the batch is empty. */
  lastId: z.nullable(z.int()),
});

/**
 * Writes a change of at most `limit` live links that have not been told of the revision, in the order
 * of their ids and after `afterId`. A link that another transaction holds is waited for.
 */
export function propagateToLinks(
  db: CommonQueryMethods,
  { canonicalUrl, revision }: PageRevision,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<z.infer<typeof Batch>> {
  return db.one(sql.type(Batch)`
    WITH untold AS (
      SELECT id FROM links
      WHERE canonical_url = ${canonicalUrl} AND id > ${afterId} AND product_revision < ${revision}
        AND taken_down_at IS NULL AND (expires_at IS NULL OR expires_at > now())
      ORDER BY id LIMIT ${limit}
      FOR NO KEY UPDATE
    ), link AS (
      UPDATE links SET revision = links.revision + 1, product_revision = ${revision}
      FROM untold WHERE links.id = untold.id
      RETURNING links.id, links.short_code, links.revision
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT count(*) AS count, max(id) AS "lastId" FROM link
  `);
}

export async function markPropagated(
  db: CommonQueryMethods,
  { canonicalUrl, revision }: PageRevision,
): Promise<void> {
  await db.query(sql.type(z.object({}))`
    UPDATE products SET spread_revision = ${revision}
    WHERE canonical_url = ${canonicalUrl} AND spread_revision < ${revision}
  `);
}
