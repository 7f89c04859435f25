import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { dueKind } from "../due.ts";
import { projectRecords } from "../relay/project-records.ts";

/** Postgres reads about six buffers for each link. */
const PAGE = 3_000;

type RebuildApp = Pick<App, "db" | "redirectStore" | "projection" | "logger">;

/**
 * Writes the redirect record of every link to Redis if Redis lost them, and continues where an earlier rebuild ended. Newer records in
 * Redis are kept.
 */
export const rebuildRedirects = dueKind({
  everyMs: 15_000,
  claim: async ({ projection }: RebuildApp) => ((await projection.isLost()) ? ["records"] : []),
  keyOf: (records) => records,
  async work(app, _records, { signal }) {
    const { db, redirectStore, projection } = app;
    let codes = await findNextCodes(db, await projection.beginRebuild(), PAGE);
    for (let last = codes.at(-1); last !== undefined; last = codes.at(-1)) {
      signal.throwIfAborted();
      await projectRecords(
        app,
        codes.map(({ shortCode }) => shortCode),
        redirectStore.restoreMany,
      );
      if (!(await projection.continueRebuild(last.id))) return;
      codes = await findNextCodes(db, last.id, PAGE);
    }
    await projection.endRebuild();
  },
});

const LinkCode = z.object({ id: z.int(), shortCode: z.string() });

/** The codes of the next `limit` links by id: the current one of each, earlier ones, and the keys of their owners. */
function findNextCodes(db: CommonQueryMethods, afterId: number, limit: number) {
  return db.any(sql.type(LinkCode)`
    WITH page AS (
      SELECT id, short_code, has_earlier_codes, user_id FROM links
      WHERE id > ${afterId} ORDER BY id LIMIT ${limit}
    )
    SELECT id, short_code AS "shortCode" FROM page
    UNION ALL
    SELECT page.id, code.short_code FROM page JOIN link_codes code ON code.link_id = page.id
    WHERE page.has_earlier_codes AND code.short_code <> page.short_code
    UNION ALL
    SELECT min(id), '~' || user_id FROM page WHERE user_id IS NOT NULL GROUP BY user_id
    ORDER BY id
  `);
}
