import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { EARNINGS_PREVIEW_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { dueKind } from "../due.ts";
import { deleteReports } from "./read-earnings/queries.ts";

/** An upload takes at most 27 minutes. */
const UPLOAD_LIFETIME_MS = 60 * 60 * 1_000;

export const sweepEarnings = dueKind({
  everyMs: 15_000,
  limit: 20,
  async claim({ db }: Pick<App, "db" | "logger">, { limit, isNotQuarantined }) {
    await removeOld(db);
    await deleteReadFiles(db);
    return db.any(sql.type(Removed)`
      SELECT id AS "importId", user_id AS "userId" FROM earnings_imports
      WHERE state = 'removed' AND (reader IS NULL OR reader_until < now()) AND ${isNotQuarantined(sql.fragment`id`)}
      ORDER BY created_at LIMIT ${limit}
    `);
  },
  keyOf: ({ importId }) => importId,
  async work({ db }, { importId, userId }, { signal }) {
    await deleteReports(db, sql.fragment`id = ${importId}`, signal);
    await deleteImport(db, importId);
    await deleteUnusedNames(db, userId);
  },
});

const Nothing = z.object({});
const Removed = z.object({ importId: z.string(), userId: z.int() });

async function removeOld(db: Db<"query">): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE earnings_imports SET state = 'removed'
    WHERE state NOT IN ('stored', 'removed') AND created_at < now() - CASE
      WHEN state = 'receiving' THEN ${milliseconds(UPLOAD_LIFETIME_MS)}
      ELSE ${milliseconds(EARNINGS_PREVIEW_LIFETIME_MS)}
    END
  `);
}

async function deleteReadFiles(db: Db<"query">): Promise<void> {
  await db.query(sql.type(Nothing)`
    DELETE FROM earnings_file_parts USING earnings_imports AS import
    WHERE import.id = import_id AND state IN ('stored', 'refused', 'removed')
  `);
}

async function deleteImport(db: Db<"query">, id: string): Promise<void> {
  await db.query(sql.type(Nothing)`
    DELETE FROM earnings_imports WHERE id = ${id} AND state = 'removed'
  `);
}

async function deleteUnusedNames(db: Db<"query">, userId: number): Promise<void> {
  await db.query(sql.type(Nothing)`
    DELETE FROM earnings_products WHERE user_id = ${userId}
      AND NOT EXISTS (SELECT FROM earnings_imports WHERE user_id = ${userId})
  `);
}
