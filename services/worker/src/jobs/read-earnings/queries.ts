import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { bytes, milliseconds } from "@tapthru/core/platform/postgres/values";
import { marketplace } from "@tapthru/proto/fields";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { DATE_ORDERS, type EARNINGS_QUESTIONS } from "@tapthru/proto/rules/earnings";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Due } from "../../due.ts";
import type { Refusal } from "./refusal.ts";
import type { SettledReport, StoredRow } from "./settle-file.ts";

const Nothing = z.object({});
const Id = z.object({ id: z.int() });

/** The run of a job that reads a file. No statement adds or changes anything once another run has started. */
export interface Run {
  importId: string;
  reader: string;
}

export const isCurrentRun = ({ importId, reader }: Run) => sql.fragment`
  id = ${importId} AND reader = ${reader} AND state = 'reading'
`;

const StartedImport = z.object({
  userId: z.int(),
  fileName: z.nullable(z.string()),
  marketplace: z.nullable(marketplace),
  dateOrder: z.nullable(z.enum(DATE_ORDERS)),
  attempts: z.int(),
});
export type StartedImport = z.infer<typeof StartedImport>;

const canBegin = sql.fragment`state = 'reading' AND (reader IS NULL OR reader_until IS NULL OR reader_until < now())`;

/** Begins a run, alone for `aloneMs`. @returns null if it cannot begin. An earlier run that did not end counts as an attempt. */
export function startRun(db: Db<"maybeOne">, { importId, reader }: Run, aloneMs: number) {
  return db.maybeOne(sql.type(StartedImport)`
    UPDATE earnings_imports SET
      reader = ${reader}, reader_until = now() + ${milliseconds(aloneMs)},
      attempts = attempts + (reader IS NOT NULL)::integer
    WHERE id = ${importId} AND ${canBegin}
    RETURNING user_id AS "userId", file_name AS "fileName", marketplace,
      date_order AS "dateOrder", attempts
  `);
}

/** @returns false if the run is to end */
export async function continueRun(db: Db<"query">, run: Run, aloneMs: number): Promise<boolean> {
  const { rowCount } = await db.query(sql.type(Nothing)`
    UPDATE earnings_imports SET reader_until = now() + ${milliseconds(aloneMs)}
    WHERE ${isCurrentRun(run)}
  `);
  return rowCount > 0;
}

const Waiting = z.object({ importId: z.uuid() });

export function findWaiting(db: Db<"any">, { limit, isNotQuarantined }: Due) {
  return db.any(sql.type(Waiting)`
    SELECT id AS "importId" FROM earnings_imports
    WHERE ${canBegin} AND ${isNotQuarantined(sql.fragment`id`)} ORDER BY created_at LIMIT ${limit}
  `);
}

/** Lets another run begin at once. */
export async function leaveRun(
  db: Db<"query">,
  { importId, reader }: Run,
  { isAttempt }: { isAttempt: boolean },
): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE earnings_imports SET reader = NULL, attempts = attempts + ${isAttempt ? 1 : 0}
    WHERE id = ${importId} AND reader = ${reader}
  `);
}

/** How a run ends. */
export interface Outcome {
  state: "ready" | "question" | "refused";
  marketplace?: Marketplace;
  ignoredFiles?: readonly string[];
  question?: (typeof EARNINGS_QUESTIONS)[number];
  refusal?: Refusal;
  reports?: readonly SettledReport[];
}

export async function endRun(db: Db<"query">, run: Run, outcome: Outcome): Promise<void> {
  const { state, marketplace = null, ignoredFiles = [], question = null, refusal = null } = outcome;
  await db.query(sql.type(Nothing)`
    UPDATE earnings_imports SET
      state = ${state}, question = ${question}, refusal = ${refusal && sql.jsonb({ ...refusal })},
      marketplace = coalesce(${marketplace}, marketplace), ignored_files = ${sql.array([...ignoredFiles], "text")}
    WHERE ${isCurrentRun(run)}
  `);
}

/** Null after the last part of the file. */
export function readPart(db: Db<"maybeOneFirst">, importId: string, part: number) {
  return db.maybeOneFirst(sql.type(z.object({ bytes }))`
    SELECT bytes FROM earnings_file_parts WHERE import_id = ${importId} AND part = ${part}
  `);
}

const ROWS_AT_ONCE = 20_000;

/** Deletes the reports of the import that fulfils a condition, the rows first and in batches: there may be a million. */
export async function deleteReports(db: Db<"query">, isImport: FragmentSqlToken, signal: AbortSignal): Promise<void> {
  const reports = sql.fragment`
    earnings_reports WHERE import_id = (SELECT id FROM earnings_imports WHERE ${isImport})
  `;
  for (let count = ROWS_AT_ONCE; count === ROWS_AT_ONCE; ) {
    signal.throwIfAborted();
    const { rowCount } = await db.query(sql.type(Nothing)`
      DELETE FROM earnings_rows WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM earnings_rows WHERE report_id IN (SELECT id FROM ${reports}) LIMIT ${ROWS_AT_ONCE}
      ))
    `);
    count = rowCount;
  }
  await db.query(sql.type(Nothing)`DELETE FROM ${reports}`);
}

/** @throws NotFoundError if another run has started */
export function insertReport(
  db: Db<"oneFirst">,
  run: Run,
  marketplace: Marketplace,
  { period: { firstDay, lastDay }, currency, rowCount, unmatchedRowCount, ...report }: SettledReport,
): Promise<number> {
  // A run that starts meanwhile waits, and deletes the report.
  return db.oneFirst(sql.type(Id)`
    INSERT INTO earnings_reports (
      import_id, user_id, marketplace, store_id, file_name, kind, first_day, last_day, currency, row_count,
      unmatched_row_count, sums, unread_lines
    )
    SELECT id, user_id, ${marketplace}, store_id, ${report.fileName}, ${report.kind}, ${firstDay}::date,
      ${lastDay}::date, ${currency}, ${rowCount}, ${unmatchedRowCount}, ${sql.jsonb({ ...report.sums })},
      ${sql.jsonb(report.unreadLines.map((unread) => ({ ...unread })))}
    FROM earnings_imports WHERE ${isCurrentRun(run)} FOR SHARE
    RETURNING id
  `);
}

/**
 * Adds rows, of which those that agree become one, and the names of their products.
 * @throws if another run has started
 */
export async function insertRows(
  db: Db<"oneFirst">,
  run: Run,
  reportId: number,
  rows: readonly StoredRow[],
): Promise<void> {
  // As JSON, which takes a fraction of the time of arrays. Names in a consistent order: imports do not wait for each other.
  await db.oneFirst(sql.type(z.object({ id: z.uuid() }))`
    WITH run AS (SELECT id, user_id FROM earnings_imports WHERE ${isCurrentRun(run)}), item AS MATERIALIZED (
      SELECT user_id, item.* FROM run, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS item (
        day date, tag text, asin text, "isDirect" boolean, name text, category text, earnings bigint, revenue bigint,
        ordered bigint, shipped bigint, returned bigint, clicks bigint
      )
    ), added AS (
      INSERT INTO earnings_rows (
        report_id, day, tag, asin, is_direct, earnings, revenue, ordered, shipped, returned, clicks
      )
      SELECT ${reportId}, day, tag, asin, "isDirect", sum(earnings), sum(revenue), sum(ordered), sum(shipped),
        sum(returned), sum(clicks)
      FROM item GROUP BY day, tag, asin, "isDirect"
    ), named AS (
      INSERT INTO earnings_products (user_id, asin, name, category)
      SELECT DISTINCT ON (asin) user_id, asin, name, category FROM item
      WHERE asin <> '' AND name <> '' AND NOT EXISTS (
        SELECT FROM earnings_products AS known WHERE (known.user_id, known.asin, known.name)
          = (item.user_id, item.asin, item.name) AND item.category IN ('', known.category)
      )
      ORDER BY asin
      ON CONFLICT (user_id, asin) DO UPDATE SET name = excluded.name,
        category = coalesce(nullif(excluded.category, ''), earnings_products.category)
    )
    SELECT id FROM run
  `);
}
