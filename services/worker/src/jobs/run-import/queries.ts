import { changed, delivered } from "@tapthru/core/events";
import { OwnerRow, selectOwnerFields } from "@tapthru/core/links/owner-columns";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";

export const PendingLine = z.object({
  line: z.int(),
  url: z.string(),
  /** The code in the file. */
  wantedCode: z.nullable(z.string()),
  /** The code that the link keeps if it is still free; null: a generated one. */
  slug: z.nullable(z.string()),
  /** The domain of its short address in the file, if the user can use it. */
  domain: z.nullable(z.string()),
  ...OwnerRow.shape,
  labels: z.array(z.string()),
  /** How often Amazon did not respond. */
  attempts: z.int(),
});
export type PendingLine = z.infer<typeof PendingLine>;

/** The next lines of a running import, without those that wait to be tried again; empty if it is not running. */
export function findDueLines(db: Db<"any">, importId: string, limit: number): Promise<readonly PendingLine[]> {
  return db.any(sql.type(PendingLine)`
    SELECT line, url, slug AS "wantedCode", CASE WHEN replacement IS NULL THEN slug END AS slug,
      (
        SELECT host FROM domains JOIN imports ON imports.user_id = domains.user_id
        WHERE imports.id = ${importId} AND host = import_lines.domain
          AND verified_at IS NOT NULL AND off_at IS NULL
      ) AS domain, ${selectOwnerFields("import_lines")}, labels, attempts
    FROM import_lines
    WHERE import_id = ${importId} AND import_lines.state = 'pending'
      AND (retry_at IS NULL OR retry_at <= now())
      AND EXISTS (SELECT FROM imports WHERE id = ${importId} AND imports.state = 'running')
    ORDER BY retry_at NULLS FIRST, line LIMIT ${limit}
  `);
}

export interface PostponedLine {
  line: number;
  delayMs: number;
}

/** Lets pending lines wait, and counts an attempt of each. */
export async function postponeLines(
  transaction: Db<"query">,
  importId: string,
  lines: readonly PostponedLine[],
): Promise<void> {
  if (lines.length === 0) return;
  await transaction.query(sql.type(z.object({}))`
    UPDATE import_lines AS stored SET
      attempts = stored.attempts + 1,
      retry_at = now() + "delayMs" * interval '1 ms'
    FROM jsonb_to_recordset(${sql.jsonb(lines)}) AS postponed (line integer, "delayMs" float)
    WHERE stored.import_id = ${importId} AND stored.line = postponed.line
      AND stored.state = 'pending'
  `);
}

/**
 * Ends an import whose last line was imported. Only this gives an import the state `finished`: work that has to follow, such
 * as a notification, belongs in the same transaction.
 */
export async function finishImport(transaction: Db<"query">, importId: string): Promise<void> {
  await transaction.query(sql.type(z.object({}))`
    WITH ${changed("import.finished", sql.fragment`id = ${importId}`)`state = 'finished', ended_at = now()`}, ${delivered("import.finished", finished)}
    SELECT
  `);
}

const finished = sql.fragment`
  SELECT user_id AS owner_id, NULL::bigint AS link_id, jsonb_build_object('id', id, 'fileName', file_name,
    'counts', jsonb_build_object('lines', line_count, 'links', link_count, 'replaced', replaced_count,
      'refused', refused_count, 'created', created_count)) AS data
  FROM object`;
