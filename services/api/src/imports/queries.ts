import { deleted } from "@tapthru/core/events";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { Import, ImportCounts, importNotFound } from "@tapthru/proto/imports";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import { isLost, isRepairable } from "./import-lines.ts";

export const ImportRow = z.extend(z.omit(Import, { counts: true }), ImportCounts.shape);
export type ImportRow = z.infer<typeof ImportRow>;

export const importColumns = sql.fragment`
  id, file_name AS "fileName", format, state, domain, channel_id AS "channelId",
  uses_channel_tag AS "usesChannelTag", utc_text(created_at) AS "createdAt", utc_text(started_at) AS "startedAt",
  utc_text(ended_at) AS "endedAt", line_count AS lines, link_count AS links, replaced_count AS replaced,
  refused_count AS refused, created_count AS created, (
    SELECT count(*)::int FROM import_lines
    WHERE import_id = imports.id AND refusal = 'short-link-failed'
  ) AS retryable, (
    SELECT count(*)::int FROM import_lines WHERE import_id = imports.id AND ${isLost}
  ) AS lost, (
    SELECT count(*)::int FROM import_lines WHERE import_id = imports.id AND ${isRepairable}
  ) AS repairable, file_domains AS "fileDomains", reading
`;

export interface ImportRef {
  userId: number;
  id: string;
}

const Id = z.object({ id: z.string() });

export function findImports(db: Db<"any">, userId: number) {
  return db.any(sql.type(ImportRow)`
    SELECT ${importColumns} FROM imports WHERE user_id = ${userId} ORDER BY created_at DESC, id
  `);
}

function findImport(db: Db<"maybeOne">, { userId, id }: ImportRef) {
  return db.maybeOne(sql.type(ImportRow)`
    SELECT ${importColumns} FROM imports WHERE id = ${id} AND user_id = ${userId}
  `);
}

/** @throws ApiError (import-not-found), also for imports of other users, so that their existence is not revealed */
export async function getImport(db: Db<"maybeOne">, ref: ImportRef): Promise<ImportRow> {
  const row = await findImport(db, ref);
  if (row === null) throw new ApiError(importNotFound);
  return row;
}

export async function findImportIds(db: Db<"any">, userId: number): Promise<string[]> {
  const rows = await db.any(sql.type(Id)`SELECT id FROM imports WHERE user_id = ${userId}`);
  return rows.map(({ id }) => id);
}

/** Deletes an import with its lines. @returns false if it is running; nothing was deleted */
export async function deleteEndedImport(db: Db<"query">, id: string): Promise<boolean> {
  const { rows } = await db.query(sql.type(z.object({ isRunning: z.boolean() }))`
    WITH ${deleted("import.deleted")`id = ${id} AND state <> 'running'`}
    SELECT TRUE AS "isRunning" FROM imports
    WHERE id = ${id} AND NOT EXISTS (SELECT FROM object)
  `);
  return rows.length === 0;
}

/** The same for a running import, which then ends. */
export async function deleteImport(db: Db<"query">, id: string) {
  await db.query(sql.type(z.object({}))`DELETE FROM imports WHERE id = ${id}`);
}
