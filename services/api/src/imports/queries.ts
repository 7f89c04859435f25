import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { Import, ImportFormat, ImportState } from "@tapthru/proto/http/imports";
import { sql } from "slonik";
import * as z from "zod/mini";
import { isLost, isRepairable } from "./line-queries.ts";
import type { PlannedLine } from "./plan-lines.ts";

export const ImportRow = z.object({
  id: z.uuid(),
  fileName: z.nullable(z.string()),
  format: ImportFormat,
  state: ImportState,
  domain: z.nullable(z.string()),
  channelId: z.nullable(z.int()),
  usesChannelTag: z.boolean(),
  /** Unix milliseconds, as the other times. */
  createdAt: z.number(),
  startedAt: z.nullable(z.number()),
  endedAt: z.nullable(z.number()),
  lines: z.int(),
  links: z.int(),
  replaced: z.int(),
  refused: z.int(),
  created: z.int(),
  retryable: z.int(),
  lost: z.int(),
  repairable: z.int(),
  fileDomains: Import.shape.fileDomains,
});
export type ImportRow = z.infer<typeof ImportRow>;

const importColumns = sql.fragment`
  id, file_name AS "fileName", format, state, domain, channel_id AS "channelId",
  uses_channel_tag AS "usesChannelTag", created_at AS "createdAt", started_at AS "startedAt",
  ended_at AS "endedAt", line_count AS lines, link_count AS links, replaced_count AS replaced,
  refused_count AS refused, created_count AS created, (
    SELECT count(*)::int FROM import_lines
    WHERE import_id = imports.id AND refusal = 'short-link-failed'
  ) AS retryable, (
    SELECT count(*)::int FROM import_lines WHERE import_id = imports.id AND ${isLost}
  ) AS lost, (
    SELECT count(*)::int FROM import_lines WHERE import_id = imports.id AND ${isRepairable}
  ) AS repairable, file_domains AS "fileDomains"
`;

/** An import of a user. */
export interface ImportRef {
  userId: number;
  id: string;
}

const Id = z.object({ id: z.string() });

export interface NewImport {
  userId: number;
  fileName: string | null;
  format: ImportFormat;
  /** Null: the site's own host. */
  domain: string | null;
  /** A channel of the user; null: their default channel. */
  channelId: number | null;
  usesChannelTag: boolean;
  fileDomains: Import["fileDomains"];
  lines: readonly PlannedLine[];
}

export function insertImport(
  db: Db<"one">,
  { userId, fileName, format, domain, channelId, usesChannelTag, fileDomains, lines }: NewImport,
): Promise<ImportRow> {
  const refused = lines.filter(({ refusal }) => refusal !== null).length;
  const replaced = lines.filter(({ replacement }) => replacement !== null).length;
  return db.one(sql.type(ImportRow)`
    INSERT INTO imports (
      user_id, file_name, format, domain, channel_id, uses_channel_tag, line_count, link_count,
      replaced_count, refused_count, file_domains
    )
    VALUES (
      ${userId}, ${fileName}, ${format}, ${domain}, ${channelId}, ${usesChannelTag}, ${lines.length},
      ${lines.length - refused}, ${replaced}, ${refused}, ${sql.jsonb(fileDomains)}
    )
    RETURNING ${importColumns}
  `);
}

/** The user's imports, newest first. */
export function findImports(db: Db<"any">, userId: number) {
  return db.any(sql.type(ImportRow)`
    SELECT ${importColumns} FROM imports WHERE user_id = ${userId} ORDER BY created_at DESC, id
  `);
}

export function findImport(db: Db<"maybeOne">, { userId, id }: ImportRef) {
  return db.maybeOne(sql.type(ImportRow)`
    SELECT ${importColumns} FROM imports WHERE id = ${id} AND user_id = ${userId}
  `);
}

/** Lets it not be started until the transaction ends. @returns whether it was not started before */
export async function lockReadyImport(db: Db<"maybeOne">, id: string): Promise<boolean> {
  const locked = await db.maybeOne(sql.type(Id)`
    SELECT id FROM imports WHERE id = ${id} AND state = 'ready' FOR UPDATE
  `);
  return locked !== null;
}

/** Counts the lines of an import that was not started. */
export async function countLines(db: Db<"query">, id: string) {
  await db.query(sql.type(z.object({}))`
    UPDATE imports SET link_count = links, refused_count = line_count - links, replaced_count = replaced
    FROM (
      SELECT count(*) FILTER (WHERE state = 'pending') AS links, count(replacement) AS replaced
      FROM import_lines WHERE import_id = ${id}
    ) AS counted
    WHERE id = ${id}
  `);
}

/**
 * @returns whether the import was not started before
 * @throws UniqueIntegrityConstraintViolationError on `imports_running_key`
 */
export async function startReadyImport(
  db: Db<"maybeOne">,
  { userId, id }: ImportRef,
): Promise<boolean> {
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
export async function restartFinishedImport(
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

/** Waits for the batch in progress. */
export function cancelRunningImport(db: Db<"maybeOne">, { userId, id }: ImportRef) {
  return db.maybeOne(sql.type(ImportRow)`
    UPDATE imports SET state = 'cancelled', ended_at = now()
    WHERE id = ${id} AND user_id = ${userId} AND state = 'running'
    RETURNING ${importColumns}
  `);
}

/** The ids of imports that a new one replaces: those that were not started, and the oldest above the limit. */
export async function findReplacedImports(
  db: Db<"any">,
  { userId, keep }: { userId: number; keep: number },
): Promise<string[]> {
  const rows = await db.any(sql.type(Id)`
    SELECT id FROM imports WHERE user_id = ${userId} AND state = 'ready'
    UNION
    (
      SELECT id FROM imports WHERE user_id = ${userId} AND state <> 'running'
      ORDER BY created_at DESC OFFSET ${keep}
    )
  `);
  return rows.map(({ id }) => id);
}

/** The ids of all imports of a user. */
export async function findImportIds(db: Db<"any">, userId: number): Promise<string[]> {
  const rows = await db.any(sql.type(Id)`SELECT id FROM imports WHERE user_id = ${userId}`);
  return rows.map(({ id }) => id);
}

/** Deletes an import with its lines. @returns false if it is running; nothing was deleted */
export async function deleteEndedImport(db: Db<"query">, id: string): Promise<boolean> {
  const { rows } = await db.query(sql.type(z.object({ isRunning: z.boolean() }))`
    WITH deleted AS (DELETE FROM imports WHERE id = ${id} AND state <> 'running' RETURNING id)
    SELECT TRUE AS "isRunning" FROM imports
    WHERE id = ${id} AND NOT EXISTS (SELECT FROM deleted)
  `);
  return rows.length === 0;
}

/** The same for a running import, which then ends. */
export async function deleteImport(db: Db<"query">, id: string) {
  await db.query(sql.type(z.object({}))`DELETE FROM imports WHERE id = ${id}`);
}
