import { forEachItem, isNotSetAside } from "@tapthru/core/platform/failed-items";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import { IMPORT_LIFETIME_MS, IMPORT_PREVIEW_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Job } from "../app.ts";

/** Later sweeps delete the rest. */
const MAX_DELETED = 100;

const KIND = "sweep-imports";

/** Idempotent: a queued job is not added again. */
export const sweepImports: Job<"db" | "jobs" | "logger"> = async ({ db, jobs, logger }, _payload, { signal }) => {
  for (const { id } of await findRunningImports(db)) {
    if (signal.aborted) return;
    await bestEffort(jobs.add("run-import", { importId: id }, { requestId: null }));
  }
  const old = await findOldImports(db, MAX_DELETED);
  const loop = { db, logger, kind: KIND, signal };
  await forEachItem(
    loop,
    old,
    ({ id }) => id,
    ({ id }) => deleteImport(db, id),
  );
};

const Id = z.object({ id: z.string() });

function findRunningImports(db: Db<"any">) {
  return db.any(sql.type(Id)`SELECT id FROM imports WHERE state = 'running' ORDER BY started_at`);
}

/** Imports that were not started in time, and those that ended long ago. */
function findOldImports(db: Db<"any">, limit: number) {
  return db.any(sql.type(Id)`
    SELECT id FROM imports
    WHERE ${isNotSetAside(KIND, sql.fragment`id`)} AND (
      (state = 'ready' AND created_at < now() - ${milliseconds(IMPORT_PREVIEW_LIFETIME_MS)})
      OR ended_at < now() - ${milliseconds(IMPORT_LIFETIME_MS)}
    )
    ORDER BY created_at LIMIT ${limit}
  `);
}

/** Deletes an import with its lines, unless it was just started. */
async function deleteImport(db: Db<"query">, id: string): Promise<void> {
  await db.query(sql.type(z.object({}))`DELETE FROM imports WHERE id = ${id} AND state <> 'running'`);
}
