import type { JobContext } from "@tapthru/core/platform/jobs/workers";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { projectRecords } from "../relay/project-records.ts";

const PAGE = 5_000;
/** Pages per job: a worker that crashes loses at most this work. */
const PAGES_PER_JOB = 10;

type RebuildApp = Pick<App, "db" | "redirectStore" | "projection" | "jobs" | "logger">;

export async function checkRedirects({ projection, jobs }: Pick<App, "projection" | "jobs">): Promise<void> {
  await bestEffort(queueRebuild());

  async function queueRebuild(): Promise<void> {
    if (!(await projection.isLost())) return;
    await jobs.add("rebuild-redirects", { afterId: 0 }, { requestId: null });
  }
}

/**
 * Writes one batch and queues the next; starts again if Redis was emptied in the meantime. Newer records in Redis are
 * kept.
 */
export async function rebuildRedirects(
  app: RebuildApp,
  { afterId }: { afterId: number },
  { requestId, signal }: JobContext,
): Promise<void> {
  const { projection } = app;
  const queueNext = (id: number) => app.jobs.add("rebuild-redirects", { afterId: id }, { requestId });

  if (afterId === 0) await projection.beginRebuild();
  else if (!(await projection.continueRebuild())) return queueNext(0);

  const nextId = await rebuildBatch(app, afterId, signal);
  if (nextId !== null) return queueNext(nextId);
  if (!(await projection.endRebuild())) throw new Error("Redis was emptied during the rebuild");
}

/** @returns the last id of the batch; null if all links are done */
async function rebuildBatch(app: RebuildApp, afterId: number, signal: AbortSignal): Promise<number | null> {
  const { db, redirectStore } = app;
  let lastId = afterId;
  for (let page = 0; page < PAGES_PER_JOB; page++) {
    signal.throwIfAborted();
    const codes = await findNextCodes(db, lastId, PAGE);
    const last = codes.at(-1);
    if (last === undefined) return null;
    await projectRecords(
      app,
      codes.map(({ shortCode }) => shortCode),
      redirectStore.restoreMany,
    );
    lastId = last.id;
  }
  return lastId;
}

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
