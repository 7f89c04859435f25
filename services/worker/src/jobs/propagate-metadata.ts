import { insertLinkChanges } from "@tapthru/core/outbox";
import { processAllOrEach } from "@tapthru/core/platform/failed-items";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { dueKind } from "../due.ts";

const BATCH = 500;
const LINKS = "propagate-metadata-to-links";

const PageRevision = z.object({ canonicalUrl: z.string(), revision: z.int() });
type PageRevision = z.infer<typeof PageRevision>;

/** A link that fails is quarantined, and with it its page. */
export const propagateMetadata = dueKind({
  everyMs: 5_000,
  limit: BATCH,
  claim: ({ db }: Pick<App, "db" | "logger">, { limit, isNotQuarantined }) =>
    db.any(sql.type(PageRevision)`
      SELECT canonical_url AS "canonicalUrl", revision FROM products
      WHERE spread_revision < revision AND ${isNotQuarantined(sql.fragment`canonical_url`)} LIMIT ${limit}
    `),
  keyOf: ({ canonicalUrl }) => canonicalUrl,
  async work({ db, logger }, page, { signal }) {
    const loop = { db, logger, kind: LINKS, signal };
    let afterId: number | undefined = 0;
    while (afterId !== undefined) {
      signal.throwIfAborted();
      const links: readonly FoundLink[] = await findNextLinks(db, page, { afterId, limit: BATCH });
      await processAllOrEach(
        loop,
        links.flatMap(({ id, isOutdated }) => (isOutdated ? id : [])),
        (id) => id,
        (some) => propagateToLinks(db, page, some),
      );
      afterId = links.at(-1)?.id;
    }
    if (!(await markPropagated(db, page))) throw new Error("A link of the page failed");
  },
});

const outdated = ({ canonicalUrl, revision }: PageRevision) => sql.fragment`
  links.canonical_url = ${canonicalUrl} AND product_revision < ${revision}
    AND taken_down_at IS NULL AND (expires_at IS NULL OR expires_at > now())
`;

const FoundLink = z.object({ id: z.int(), isOutdated: z.boolean() });
type FoundLink = z.infer<typeof FoundLink>;

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

/** @returns false while a link that failed is without it */
async function markPropagated(db: CommonQueryMethods, page: PageRevision): Promise<boolean> {
  const { rowCount } = await db.query(sql.type(z.object({}))`
    UPDATE products SET spread_revision = greatest(spread_revision, ${page.revision})
    WHERE canonical_url = ${page.canonicalUrl} AND NOT EXISTS (
      SELECT FROM failed_items JOIN links ON links.id = key::bigint WHERE kind = ${LINKS} AND ${outdated(page)}
    )
  `);
  return rowCount === 1;
}
