import { milliseconds } from "@tapthru/runtime/postgres/milliseconds";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const BATCH = 1_000;

interface OldRows {
  table: string;
  primaryKey: readonly string[];
  /** The column from which the age of a row is calculated. */
  since: string;
  lifetimeMs: number;
}

/** Deletes expired rows of a table in batches, until none is left or the job is aborted. */
export async function purgeOldRows(
  db: CommonQueryMethods,
  rows: OldRows,
  signal: AbortSignal,
): Promise<void> {
  let deleted = BATCH;
  while (deleted === BATCH && !signal.aborted) deleted = await deleteBatch(db, rows);
}

/**
 * Deletes at most one batch and returns its number of rows. A row may be updated while the statement waits for its
 * lock, so its age is checked twice: when it is found and when it is locked.
 */
async function deleteBatch(db: CommonQueryMethods, rows: OldRows): Promise<number> {
  const table = sql.identifier([rows.table]);
  const since = sql.identifier([rows.since]);
  const primaryKey = sql.join(
    rows.primaryKey.map((column) => sql.identifier([column])),
    sql.fragment`, `,
  );
  const isOld = sql.fragment`${since} < now() - ${milliseconds(rows.lifetimeMs)}`;
  const { rowCount } = await db.query(sql.type(z.object({}))`
    DELETE FROM ${table} WHERE (${primaryKey}) IN (
      SELECT ${primaryKey} FROM ${table} WHERE ${isOld} ORDER BY ${since} LIMIT ${BATCH}
    ) AND ${isOld}
  `);
  return rowCount;
}
