import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { isoOrNull } from "@tapthru/core/platform/postgres/values";
import type { Import } from "@tapthru/proto/http/imports";
import { sql, UniqueIntegrityConstraintViolationError } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../errors.ts";
import { createMissingLabels } from "../labels/labels.ts";
import {
  deleteEndedImport,
  findImport,
  type ImportRef,
  ImportRow,
  importColumns,
} from "./queries.ts";

export type ImportsDb = Db<"any" | "maybeOne" | "query" | "transaction">;

type Transaction = Parameters<Parameters<ImportsDb["transaction"]>[0]>[0];

const Id = z.object({ id: z.string() });

export async function getImport(
  db: Pick<ImportsDb, "maybeOne">,
  ref: ImportRef,
): Promise<ImportRow> {
  const row = await findImport(db, ref);
  if (row === null) throw importNotFound();
  return row;
}

/**
 * Lets the worker create the links, except those that the user got since the preview, and creates the labels that they get. A
 * finished import starts again for the lines that can be tried again. An import that is running is returned as it is.
 */
export async function startImport(db: ImportsDb, ref: ImportRef): Promise<ImportRow> {
  try {
    const isStarted = await db.transaction((transaction) => startReady(transaction, ref));
    if (!isStarted) await restartFinishedImport(db, ref);
  } catch (error) {
    if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
    throw new ApiError("import-running", { cause: error });
  }
  const row = await getImport(db, ref);
  if (row.state === "running") return row;
  throw new ApiError("import-started");
}

async function startReady(transaction: Transaction, { userId, id }: ImportRef): Promise<boolean> {
  if (!(await startReadyImport(transaction, { userId, id }))) return false;
  const names = await findLabelNames(transaction, id);
  if (names.length > 0) await createMissingLabels(transaction, { userId, names });
  return true;
}

/**
 * @returns whether the import was not started before
 * @throws UniqueIntegrityConstraintViolationError on `imports_running_key`
 */
async function startReadyImport(db: Db<"maybeOne">, { userId, id }: ImportRef): Promise<boolean> {
  const started = await db.maybeOne(sql.type(Id)`
    UPDATE imports SET state = 'running', started_at = now(), progressed_at = now()
    WHERE id = ${id} AND user_id = ${userId} AND state = 'ready'
    RETURNING id
  `);
  return started !== null;
}

/**
 * Starts a finished import again for the lines that were refused because Amazon did not respond.
 * @returns whether there are any, and the import was finished
 * @throws UniqueIntegrityConstraintViolationError on `imports_running_key`
 */
async function restartFinishedImport(
  db: Db<"maybeOne">,
  { userId, id }: ImportRef,
): Promise<boolean> {
  const restarted = await db.maybeOne(sql.type(Id)`
    WITH retried AS (
      UPDATE import_lines SET state = 'pending', refusal = NULL, attempts = 0, retry_at = NULL
      WHERE import_id = ${id} AND refusal = 'short-link-failed' AND EXISTS (
        SELECT FROM imports WHERE id = ${id} AND user_id = ${userId} AND imports.state = 'finished'
      )
      RETURNING line
    ), total AS (SELECT count(*)::int AS retried FROM retried)
    UPDATE imports SET state = 'running', progressed_at = now(), ended_at = NULL,
      link_count = link_count + retried, refused_count = refused_count - retried
    FROM total
    WHERE id = ${id} AND state = 'finished' AND retried > 0
    RETURNING id
  `);
  return restarted !== null;
}

/** The names of labels of an import's lines that become links. */
async function findLabelNames(db: Db<"any">, importId: string): Promise<string[]> {
  const rows = await db.any(sql.type(z.object({ name: z.string() }))`
    SELECT name FROM import_lines, unnest(labels) AS name
    WHERE import_id = ${importId} AND state = 'pending' GROUP BY name ORDER BY min(line)
  `);
  return rows.map(({ name }) => name);
}

/** Takes the repaired addresses of all lines, if the import was not started. */
export function repairImport(db: ImportsDb, ref: ImportRef): Promise<ImportRow> {
  return db.transaction(async (transaction) => {
    await getImport(transaction, ref);
    if (!(await lockReadyImport(transaction, ref.id))) throw new ApiError("import-started");
    await takeRepairs(transaction, ref.id);
    await countLines(transaction, ref.id);
    return getImport(transaction, ref);
  });
}

/** Lets it not be started until the transaction ends. @returns whether it was not started before */
async function lockReadyImport(db: Db<"maybeOne">, id: string): Promise<boolean> {
  const locked = await db.maybeOne(sql.type(Id)`
    SELECT id FROM imports WHERE id = ${id} AND state = 'ready' FOR UPDATE
  `);
  return locked !== null;
}

/** Lets each line become what it becomes with the repaired addresses. */
async function takeRepairs(db: Db<"query">, importId: string) {
  await db.query(sql.type(z.object({}))`
    UPDATE import_lines SET
      url = repaired->>'url', refusal = repaired->>'refusal', replacement = repaired->>'replacement',
      state = CASE WHEN repaired->>'refusal' IS NULL THEN 'pending' ELSE 'refused' END, repaired = NULL
    WHERE import_id = ${importId} AND repaired IS NOT NULL
  `);
}

/** Counts the lines of an import that was not started. */
async function countLines(db: Db<"query">, id: string) {
  await db.query(sql.type(z.object({}))`
    UPDATE imports SET link_count = links, refused_count = line_count - links, replaced_count = replaced
    FROM (
      SELECT count(*) FILTER (WHERE state = 'pending') AS links, count(replacement) AS replaced
      FROM import_lines WHERE import_id = ${id}
    ) AS counted
    WHERE id = ${id}
  `);
}

/** Cancels a running import. One that has ended in the meantime is returned as it is. */
export async function cancelImport(
  db: Pick<ImportsDb, "maybeOne">,
  ref: ImportRef,
): Promise<ImportRow> {
  const cancelled = await cancelRunningImport(db, ref);
  if (cancelled !== null) return cancelled;
  const row = await getImport(db, ref);
  if (row.state === "ready") throw new ApiError("import-not-started");
  return row;
}

/** Waits for the batch in progress. */
function cancelRunningImport(db: Db<"maybeOne">, { userId, id }: ImportRef) {
  return db.maybeOne(sql.type(ImportRow)`
    UPDATE imports SET state = 'cancelled', ended_at = now()
    WHERE id = ${id} AND user_id = ${userId} AND state = 'running'
    RETURNING ${importColumns}
  `);
}

export async function deleteImport(
  db: Pick<ImportsDb, "maybeOne" | "query">,
  ref: ImportRef,
): Promise<void> {
  const { id } = await getImport(db, ref);
  if (!(await deleteEndedImport(db, id))) throw new ApiError("import-not-ended");
}

/** Also for imports of other users, so that their existence is not revealed. */
function importNotFound(): ApiError {
  return new ApiError("import-not-found");
}

export function importReply({
  lines,
  links,
  replaced,
  refused,
  created,
  retryable,
  lost,
  repairable,
  ...row
}: ImportRow): Import {
  return {
    ...row,
    createdAt: new Date(row.createdAt).toISOString(),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    counts: { lines, links, replaced, refused, created, retryable, lost, repairable },
  };
}
