import { IMPORT_LIFETIME_MS, IMPORT_PREVIEW_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import { milliseconds } from "@tapthru/runtime/postgres/milliseconds";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const Id = z.object({ id: z.string() });

export function findRunningImports(
  db: Pick<CommonQueryMethods, "any">,
): Promise<readonly z.infer<typeof Id>[]> {
  return db.any(sql.type(Id)`SELECT id FROM imports WHERE state = 'running' ORDER BY started_at`);
}

/** Imports that were not started in time, and those that ended long ago. */
export function findOldImports(
  db: Pick<CommonQueryMethods, "any">,
  limit: number,
): Promise<readonly z.infer<typeof Id>[]> {
  return db.any(sql.type(Id)`
    SELECT id FROM imports
    WHERE (state = 'ready' AND created_at < now() - ${milliseconds(IMPORT_PREVIEW_LIFETIME_MS)})
      OR ended_at < now() - ${milliseconds(IMPORT_LIFETIME_MS)}
    ORDER BY created_at LIMIT ${limit}
  `);
}

/** Deletes an import with its lines, unless it was just started. */
export async function deleteImport(
  db: Pick<CommonQueryMethods, "query">,
  id: string,
): Promise<void> {
  await db.query(
    sql.type(z.object({}))`DELETE FROM imports WHERE id = ${id} AND state <> 'running'`,
  );
}
