import { forEachItem, isNotSetAside } from "@tapthru/core/platform/failed-items";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { EARNINGS_PREVIEW_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Job } from "../app.ts";
import { deleteReports, deleteSomeRows } from "./read-earnings/queries.ts";
import { queueReads } from "./read-earnings/read-earnings.ts";

/** Later sweeps delete the rest. */
const MAX_DELETED = 20;
const ROWS_AT_ONCE = 20_000;
/** An upload takes at most 27 minutes. */
const UPLOAD_LIFETIME_MS = 60 * 60 * 1_000;

const KIND = "sweep-earnings";

/** Idempotent: a queued job is not added again. */
export const sweepEarnings: Job<"db" | "jobs" | "logger"> = async ({ db, jobs, logger }, _payload, { signal }) => {
  await queueReads({ db, jobs });
  await removeOld(db);
  await deleteReadFiles(db);
  await forEachItem(
    { db, logger, kind: KIND, signal },
    await findRemoved(db, MAX_DELETED),
    ({ importId }) => importId,
    async ({ importId, userId }) => {
      // The rows first and in batches: an import may have a million.
      do if (signal.aborted) return;
      while (await deleteSomeRows(db, importId, ROWS_AT_ONCE));
      await deleteReports(db, importId);
      await deleteImport(db, importId);
      await deleteUnusedNames(db, userId);
    },
  );
};

const Nothing = z.object({});
const Removed = z.object({ importId: z.string(), userId: z.int() });

/** Imports that were not stored in time, and uploads that ended with their process. */
async function removeOld(db: Db<"query">): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE earnings_imports SET state = 'removed'
    WHERE state NOT IN ('stored', 'removed') AND created_at < now() - CASE
      WHEN state = 'receiving' THEN ${milliseconds(UPLOAD_LIFETIME_MS)}
      ELSE ${milliseconds(EARNINGS_PREVIEW_LIFETIME_MS)}
    END
  `);
}

/** A file is needed until its import is stored or refused. */
async function deleteReadFiles(db: Db<"query">): Promise<void> {
  await db.query(sql.type(Nothing)`
    DELETE FROM earnings_file_parts USING earnings_imports AS import
    WHERE import.id = import_id AND state IN ('stored', 'refused', 'removed')
  `);
}

function findRemoved(db: Db<"any">, limit: number) {
  return db.any(sql.type(Removed)`
    SELECT id AS "importId", user_id AS "userId" FROM earnings_imports
    WHERE state = 'removed' AND (reader IS NULL OR reader_until < now())
      AND ${isNotSetAside(KIND, sql.fragment`id`)}
    ORDER BY created_at LIMIT ${limit}
  `);
}

async function deleteImport(db: Db<"query">, id: string): Promise<void> {
  await db.query(sql.type(Nothing)`
    DELETE FROM earnings_imports WHERE id = ${id} AND state = 'removed'
  `);
}

/** Of a user without imports. */
async function deleteUnusedNames(db: Db<"query">, userId: number): Promise<void> {
  await db.query(sql.type(Nothing)`
    DELETE FROM earnings_products WHERE user_id = ${userId}
      AND NOT EXISTS (SELECT FROM earnings_imports WHERE user_id = ${userId})
  `);
}
