import { insertLinkChanges } from "@tapthru/core/outbox";
import { allOrEachItem } from "@tapthru/core/platform/failed-items";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { Job } from "../app.ts";

const BATCH = 500;

/** The relay then writes the changed links to their redirect records. A link that fails is set aside. */
export const propagateMetadata: Job<"db" | "logger", PageRevision> = async ({ db, logger }, page, { signal }) => {
  const loop = { db, logger, kind: "propagate-metadata", signal };
  let afterId: number | undefined = 0;
  while (afterId !== undefined) {
    signal.throwIfAborted();
    const ids: readonly number[] = await findOutdated(db, page, { afterId, limit: BATCH });
    await allOrEachItem(
      loop,
      ids,
      (id) => id,
      (some) => propagateToLinks(db, page, some),
    );
    afterId = ids.at(-1);
  }
  await markPropagated(db, page);
};

/** The metadata of a page at a revision. */
export interface PageRevision {
  canonicalUrl: string;
  revision: number;
}

/** Live links without the revision. */
const outdated = ({ canonicalUrl, revision }: PageRevision) => sql.fragment`
  links.canonical_url = ${canonicalUrl} AND product_revision < ${revision}
    AND taken_down_at IS NULL AND (expires_at IS NULL OR expires_at > now())
`;

function findOutdated(
  db: Pick<CommonQueryMethods, "anyFirst">,
  page: PageRevision,
  { afterId, limit }: { afterId: number; limit: number },
) {
  return db.anyFirst(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM links WHERE ${outdated(page)} AND id > ${afterId} ORDER BY id LIMIT ${limit}
  `);
}

/** Inserts a change for each of these links that is still without the revision. Waits for links that are locked by another transaction. */
async function propagateToLinks(db: CommonQueryMethods, page: PageRevision, ids: readonly number[]): Promise<void> {
  await db.query(sql.type(z.object({}))`
    WITH outdated AS (
      SELECT id FROM links WHERE id = ANY(${sql.array(ids, "int8")}) AND ${outdated(page)}
      ORDER BY id FOR NO KEY UPDATE
    ), link AS (
      UPDATE links SET revision = links.revision + 1, product_revision = ${page.revision}
      FROM outdated WHERE links.id = outdated.id
      RETURNING links.id, links.short_code, links.revision
    )
    ${insertLinkChanges}
  `);
}

/** Not while a link that failed is without it: the sweep queues the page again. */
async function markPropagated(db: CommonQueryMethods, page: PageRevision) {
  await db.query(sql.type(z.object({}))`
    UPDATE products SET spread_revision = ${page.revision}
    WHERE canonical_url = ${page.canonicalUrl} AND spread_revision < ${page.revision}
      AND NOT EXISTS (SELECT FROM links WHERE ${outdated(page)})
  `);
}
