import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import { IMPORT_LIFETIME_MS, IMPORT_PREVIEW_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { dueKind } from "../due.ts";

const Found = z.object({ id: z.string(), isRunning: z.boolean() });

/** Queues running imports, unless they are queued, and deletes those that were not started in time or ended long ago. */
export const sweepImports = dueKind({
  everyMs: 2_000,
  claim: ({ db }: Pick<App, "db" | "jobs" | "logger">, { isNotSetAside }) =>
    db.any(sql.type(Found)`
      (SELECT id, true AS "isRunning" FROM imports WHERE state = 'running' ORDER BY started_at)
      UNION ALL
      (SELECT id, false FROM imports
      WHERE ${isNotSetAside(sql.fragment`id`)} AND (
        (state = 'ready' AND created_at < now() - ${milliseconds(IMPORT_PREVIEW_LIFETIME_MS)})
        OR ended_at < now() - ${milliseconds(IMPORT_LIFETIME_MS)}
      )
      ORDER BY created_at LIMIT 100)
    `),
  keyOf: ({ id }) => id,
  work: ({ db, jobs }, { id, isRunning }) =>
    isRunning
      ? bestEffort(jobs.add("run-import", { importId: id }, { requestId: null }))
      : // One may have been started just now.
        db.query(sql.type(z.object({}))`DELETE FROM imports WHERE id = ${id} AND state <> 'running'`),
});
