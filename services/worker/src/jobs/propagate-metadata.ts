import { insertLinkChanges } from "@tapthru/core/outbox";
import { allOrEachItem } from "@tapthru/core/platform/failed-items";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { Job } from "../app.ts";

const BATCH = 500;
const KIND = "propagate-metadata";

/** The relay then writes the changed links to their redirect records. A link that fails is set aside. */
export const propagateMetadata: Job<"db" | "logger", PageRevision> = async ({ db, logger }, page, { signal }) => {
  const loop = { db, logger, kind: KIND, signal };
  let afterId: number | undefined = 0;
  while (afterId !== undefined) {
    signal.throwIfAborted();
    const links: readonly FoundLink[] = await findNextLinks(db, page, { afterId, limit: BATCH });
    await allOrEachItem(
      loop,
      links.flatMap(({ id, isOutdated }) => (isOutdated ? id : [])),
      (id) => id,
      (some) => propagateToLinks(db, page, some),
    );
    afterId = links.at(-1)?.id;
  }
  await markPropagated(db, page);
};

export interface PageRevision {
  canonicalUrl: string;
  revision: number;
}

/** Live links without the revision. */
const outdated = ({ canonicalUrl, revision }: PageRevision) => sql.fragment`
  links.canonical_url = ${canonicalUrl} AND product_revision < ${revision}
    AND taken_down_at IS NULL AND (expires_at IS NULL OR expires_at > now())
`;

const FoundLink = z.object({ id: z.int(), isOutdated: z.boolean() });
type FoundLink = z.infer<typeof FoundLink>;

/** The next links of the page, few or many of which are outdated. */
function findNextLinks(
  db: Pick<CommonQueryMethods, "any">,
  page: PageRevision,
  { afterId, limit }: { afterId: number; limit: number },
) {
  return db.any(sql.type(FoundLink)`
    SELECT id, ${outdated(page)} AS "isOutdated" FROM links
    WHERE canonical_url = ${page.canonicalUrl} AND id > ${afterId} ORDER BY id LIMIT ${limit}
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
      AND NOT EXISTS (
        SELECT FROM failed_items JOIN links ON links.id = key::bigint WHERE kind = ${KIND} AND ${outdated(page)}
      )
  `);
}
