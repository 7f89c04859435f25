import { insertLinkChanges } from "@tapthru/core/outbox";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { Job } from "../app.ts";

const BATCH = 500;

/** The relay then writes the changed links to their redirect records. */
export const propagateMetadata: Job<"db", PageRevision> = async ({ db }, page, { signal }) => {
  let afterId: number | null = 0;
  while (afterId !== null) {
    signal.throwIfAborted();
    const { lastId } = await propagateToLinks(db, page, { afterId, limit: BATCH });
    afterId = lastId;
  }
  await markPropagated(db, page);
};

/** The metadata of a page at a revision. */
export interface PageRevision {
  canonicalUrl: string;
  revision: number;
}

const Batch = z.object({
  /** Null if the batch is empty. */
  lastId: z.nullable(z.int()),
});

/**
 * Inserts a change for at most `limit` live links without the revision, by id, after `afterId`. Waits for links that are
 * locked by another transaction.
 */
function propagateToLinks(
  db: CommonQueryMethods,
  { canonicalUrl, revision }: PageRevision,
  { afterId, limit }: { afterId: number; limit: number },
) {
  return db.one(sql.type(Batch)`
    WITH outdated AS (
      SELECT id FROM links
      WHERE canonical_url = ${canonicalUrl} AND id > ${afterId} AND product_revision < ${revision}
        AND taken_down_at IS NULL AND (expires_at IS NULL OR expires_at > now())
      ORDER BY id LIMIT ${limit}
      FOR NO KEY UPDATE
    ), link AS (
      UPDATE links SET revision = links.revision + 1, product_revision = ${revision}
      FROM outdated WHERE links.id = outdated.id
      RETURNING links.id, links.short_code, links.revision
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT max(id) AS "lastId" FROM link
  `);
}

async function markPropagated(db: CommonQueryMethods, { canonicalUrl, revision }: PageRevision) {
  await db.query(sql.type(z.object({}))`
    UPDATE products SET spread_revision = ${revision}
    WHERE canonical_url = ${canonicalUrl} AND spread_revision < ${revision}
  `);
}
