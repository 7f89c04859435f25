import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { bytes, milliseconds } from "@tapthru/core/platform/postgres/values";
import { isMarketplace, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { DATE_ORDERS, type EARNINGS_QUESTIONS, type ReportKind } from "@tapthru/proto/rules/earnings";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Due } from "../../due.ts";
import type { Period } from "./period.ts";
import type { Refusal } from "./refusal.ts";
import type { ReportRow, Sums, UnreadLine } from "./report-reader.ts";

const Nothing = z.object({});
const Id = z.object({ id: z.int() });

/** The run of a job that reads a file. No statement adds or changes anything once another run has started. */
export interface Run {
  importId: string;
  /** The row's `reads`. */
  read: number;
  reader: string;
}

const isCurrentRun = ({ importId, read, reader }: Run) => sql.fragment`
  id = ${importId} AND reads = ${read} AND reader = ${reader} AND state = 'reading'
`;

const marketplace = z.nullable(z.custom<Marketplace>((value) => isMarketplace(String(value))));

const StartedImport = z.object({
  userId: z.int(),
  fileName: z.nullable(z.string()),
  marketplace,
  storeId: z.string(),
  dateOrder: z.nullable(z.enum(DATE_ORDERS)),
  attempts: z.int(),
});
export type StartedImport = z.infer<typeof StartedImport>;

const mayBegin = sql.fragment`
  import.state = 'reading' AND (reader IS NULL OR reader_until IS NULL OR reader_until < now())
    AND NOT EXISTS (
      SELECT FROM earnings_imports AS other
      WHERE other.user_id = import.user_id AND other.id <> import.id
        AND other.reader IS NOT NULL AND other.reader_until > now()
    )
`;

/** Begins a run, alone for `aloneMs`. @returns null if it may not begin. An earlier run that did not end counts as an attempt. */
export function startRun(db: Db<"maybeOne">, { importId, read, reader }: Run, aloneMs: number) {
  return db.maybeOne(sql.type(StartedImport)`
    UPDATE earnings_imports AS import SET
      reader = ${reader}, reader_until = now() + ${milliseconds(aloneMs)},
      attempts = attempts + (reader IS NOT NULL)::integer
    WHERE id = ${importId} AND reads = ${read} AND ${mayBegin}
    RETURNING user_id AS "userId", file_name AS "fileName", marketplace, store_id AS "storeId",
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

const Waiting = z.object({ importId: z.uuid(), read: z.int() });

export function findWaiting(db: Db<"any">, { limit, isNotQuarantined }: Due) {
  return db.any(sql.type(Waiting)`
    SELECT id AS "importId", reads AS read FROM earnings_imports AS import
    WHERE ${mayBegin} AND ${isNotQuarantined(sql.fragment`id`)} ORDER BY created_at LIMIT ${limit}
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

/** Deletes some rows of an import's reports. @returns false if there are no more */
export async function deleteSomeRows(db: Db<"query">, importId: string, limit: number): Promise<boolean> {
  const { rowCount } = await db.query(sql.type(Nothing)`
    DELETE FROM earnings_rows WHERE ctid = ANY (ARRAY(
      SELECT earnings_rows.ctid FROM earnings_rows
      JOIN earnings_reports ON earnings_reports.id = report_id
      WHERE import_id = ${importId} LIMIT ${limit}
    ))
  `);
  return rowCount >= limit;
}

export async function deleteReports(db: Db<"query">, importId: string): Promise<void> {
  await db.query(sql.type(Nothing)`DELETE FROM earnings_reports WHERE import_id = ${importId}`);
}

/** A report whose dates, store and sums follow once it was read. @returns null if another run has started */
export function insertReport(
  db: Db<"maybeOneFirst">,
  run: Run,
  { fileName, kind }: { fileName: string; kind: ReportKind },
) {
  return db.maybeOneFirst(sql.type(Id)`
    INSERT INTO earnings_reports (
      import_id, user_id, marketplace, store_id, file_name, kind, first_day, last_day, currency, row_count, sums
    )
    SELECT id, user_id, '', store_id, ${fileName}, ${kind}, '-infinity', '-infinity', '', 0, '{}'
    FROM earnings_imports WHERE ${isCurrentRun(run)}
    RETURNING id
  `);
}

export function isCurrent(db: Db<"exists">, run: Run) {
  return db.exists(sql.type(Nothing)`${runs(run)}`);
}

const runs = (run: Run) => sql.fragment`SELECT FROM earnings_imports WHERE ${isCurrentRun(run)}`;

/**
 * @returns whether no other run has started
 * @throws ForeignKeyIntegrityConstraintViolationError if another run deleted the report
 */
export async function insertRows(
  db: Db<"query">,
  run: Run,
  reportId: number,
  rows: readonly ReportRow[],
): Promise<boolean> {
  // As JSON, which takes a fraction of the time of arrays.
  const list = rows.map(({ name: _, category: __, ...row }) => row);
  const { rowCount } = await db.query(sql.type(Nothing)`
    INSERT INTO earnings_rows (
      report_id, day, tag, asin, is_direct, earnings, revenue, ordered, shipped, returned, clicks
    )
    SELECT ${reportId}, row.* FROM jsonb_to_recordset(${JSON.stringify(list)}::jsonb) AS row (
      day date, tag text, asin text, "isDirect" boolean, earnings bigint, revenue bigint,
      ordered integer, shipped integer, returned integer, clicks integer
    )
    WHERE EXISTS (${runs(run)})
  `);
  return rowCount > 0;
}

export async function saveProductNames(
  db: Db<"query">,
  run: Run,
  userId: number,
  names: ReadonlyMap<string, readonly [name: string, category: string]>,
): Promise<void> {
  // In one order, so that two imports of a user do not wait for each other.
  const sorted = [...names].map(([asin, named]) => [asin, ...named]).toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  await db.query(sql.type(Nothing)`
    INSERT INTO earnings_products (user_id, asin, name, category)
    SELECT ${userId}, row.* FROM ${sql.unnest(sorted, ["text", "text", "text"])} AS row
    WHERE EXISTS (${runs(run)})
    ON CONFLICT (user_id, asin) DO UPDATE SET name = excluded.name,
      category = coalesce(nullif(excluded.category, ''), earnings_products.category)
      WHERE (earnings_products.name, earnings_products.category) <> (excluded.name, excluded.category)
  `);
}

const Part = z.object({ part: z.int(), length: z.int() });

export async function openFile(db: Db<"any" | "oneFirst">, importId: string) {
  const parts = await db.any(sql.type(Part)`
    SELECT part, length(bytes) AS length FROM earnings_file_parts
    WHERE import_id = ${importId} ORDER BY part
  `);
  return {
    size: parts.reduce((sum, { length }) => sum + length, 0),
    /** The bytes from `from` to the end of the part that has it, or to before `to`. */
    async read({ from, to }: { from: number; to: number }): Promise<Uint8Array> {
      let start = 0;
      for (const { part, length } of parts) {
        if (from < start + length) {
          const content = await readPart(db, importId, part);
          return content.subarray(from - start, to - start);
        }
        start += length;
      }
      throw new RangeError(`The file has no byte ${from}`);
    },
  };
}

function readPart(db: Db<"oneFirst">, importId: string, part: number) {
  return db.oneFirst(sql.type(z.object({ bytes }))`
    SELECT bytes FROM earnings_file_parts WHERE import_id = ${importId} AND part = ${part}
  `);
}

interface FinishedReport {
  id: number;
  marketplace: Marketplace;
  storeId: string;
  period: Period;
  currency: string;
  rowCount: number;
  unmatchedRowCount: number;
  sums: Sums;
  unreadLines: readonly UnreadLine[];
}

export async function finishReport(db: Db<"query">, report: FinishedReport): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE earnings_reports SET
      marketplace = ${report.marketplace}, store_id = ${report.storeId},
      first_day = ${sql.date(new Date(report.period.firstDay))},
      last_day = ${sql.date(new Date(report.period.lastDay))}, currency = ${report.currency},
      row_count = ${report.rowCount}, unmatched_row_count = ${report.unmatchedRowCount},
      sums = ${sql.jsonb({ ...report.sums })},
      unread_lines = ${sql.jsonb(report.unreadLines.map((unread) => ({ ...unread })))}
    WHERE id = ${report.id}
  `);
}

/** Ends a run. @returns false if another run has started */
export async function finishRun(
  db: Db<"query">,
  run: Run,
  result: { marketplace: Marketplace; ignoredFiles: readonly string[] },
): Promise<boolean> {
  const { rowCount } = await db.query(sql.type(Nothing)`
    UPDATE earnings_imports SET
      state = 'ready', marketplace = ${result.marketplace}, reader = NULL, question = NULL,
      ignored_files = ${sql.array([...result.ignoredFiles], "text")}
    WHERE ${isCurrentRun(run)}
  `);
  return rowCount > 0;
}

export async function putQuestion(
  db: Db<"query">,
  run: Run,
  question: (typeof EARNINGS_QUESTIONS)[number],
): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE earnings_imports SET state = 'question', question = ${question}, reader = NULL
    WHERE ${isCurrentRun(run)}
  `);
}

export async function refuse(
  db: Db<"query">,
  run: Run,
  { refusal, fileName }: { refusal: Refusal; fileName: string | null },
): Promise<void> {
  const { reason, line, text } = refusal;
  await db.query(sql.type(Nothing)`
    UPDATE earnings_imports SET
      state = 'refused', refusal = ${sql.jsonb({ reason, fileName, line, text })}, reader = NULL
    WHERE ${isCurrentRun(run)}
  `);
}
