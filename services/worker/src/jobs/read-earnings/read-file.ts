import type { DateOrder, ReportKind } from "@tapthru/proto/rules/earnings";
import { EARNINGS_ROWS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { entriesOf, type OpenText } from "./archive.ts";
import { findReport, type ReportText, readRows } from "./find-report.ts";
import { MAX_AMOUNT, MAX_COUNT } from "./numbers.ts";
import { type Refusal, ReportRefusal } from "./refusal.ts";
import { AMOUNTS, createReportReader, type ReportFacts, type ReportRow, SUMS, type Sums } from "./report-reader.ts";

const BATCH = 5_000;
/** In XLSX and ODS, which are ZIPs. */
const SPREADSHEET_FILE = /^(?:\[Content_Types\]|content)\.xml$/;
/** No account has as many tracking ids. */
const TAGS_MAX_COUNT = 10_000;

export interface ReadReport extends ReportFacts {
  fileName: string;
  kind: ReportKind;
  headingLine: number;
  headingText: string;
  rowCount: number;
  sums: Sums;
  /** How many rows have each tracking id. */
  tags: ReadonlyMap<string, number>;
}

export interface FileReading {
  reports: readonly ReadReport[];
  ignoredFiles: readonly string[];
}

export interface FileOptions {
  fileName: string | null;
  /** The user's answers; null if none. */
  dateOrder: DateOrder | null;
  /** Later days are refused. */
  lastDay: string;
  maxRows?: number;
}

export interface FileSteps {
  /** Decides about the file. @returns the id of each report whose rows are to be stored */
  begin(reading: FileReading | Refusal): Promise<readonly number[]>;
  insert(reportId: number, rows: readonly ReportRow[]): Promise<unknown>;
}

interface Found {
  open: OpenText;
  text: ReportText;
}

/** Reads a file twice: only its end may show how dates and amounts are written. Rows are passed on as it is read again. */
export async function readFile(file: Blob, options: FileOptions, { begin, insert }: FileSteps): Promise<void> {
  const found: Found[] = [];
  const ids = await begin(await surveyFile(file, options, found));
  for (const [index, { open, text }] of found.entries()) {
    const id = ids[index];
    if (id === undefined) return;
    const reader = createReportReader(text, options);
    const batch: ReportRow[] = [];
    for await (const line of readRows(open, text)) {
      const row = reader.read(line);
      if (row !== null && batch.push(row) === BATCH) await insert(id, batch.splice(0));
    }
    if (batch.length > 0) await insert(id, batch);
  }
}

/** @param found gets each report */
async function surveyFile(file: Blob, options: FileOptions, found: Found[]): Promise<FileReading | Refusal> {
  const reports: ReadReport[] = [];
  const ignoredFiles: string[] = [];
  let current: string | null = null;
  let maxRows = options.maxRows ?? EARNINGS_ROWS_MAX_COUNT;
  try {
    for (const { name, open } of await entriesOf(file)) {
      current = name;
      const fileName = name ?? options.fileName ?? "";
      const text = open === null ? "ignored" : await findReport(open, fileName);
      if (open === null || text === "ignored") ignoredFiles.push(fileName);
      else if (text !== null) {
        const report = await surveyReport({ open, text }, { ...options, maxRows });
        if (report === null) continue;
        maxRows -= report.rowCount;
        reports.push({ ...report, fileName });
        found.push({ open, text });
      }
    }
  } catch (error) {
    if (!(error instanceof ReportRefusal)) throw error;
    return { ...error.refusal, fileName: current };
  }
  if (reports.length > 0) return { reports, ignoredFiles };
  if (ignoredFiles.some((name) => SPREADSHEET_FILE.test(name))) return new ReportRefusal("spreadsheet").refusal;
  return ignoredFiles.length > 0
    ? new ReportRefusal("unknown-report", null, ignoredFiles.join(", ")).refusal
    : new ReportRefusal("empty-file").refusal;
}

/** Null if the report has neither rows nor a title row. @throws ReportRefusal */
async function surveyReport(
  { open, text }: Found,
  options: FileOptions & { maxRows: number },
): Promise<Omit<ReadReport, "fileName"> | null> {
  const reader = createReportReader(text, options);
  const tags = new Map<string, number>();
  const sums = Object.fromEntries(SUMS.map((sum) => [sum, null])) as Sums;
  let rowCount = 0;
  for await (const each of readRows(open, text)) {
    const row = reader.read(each);
    if (row === null) continue;
    rowCount++;
    if (rowCount > options.maxRows) throw new ReportRefusal("too-many-rows");
    tags.set(row.tag, (tags.get(row.tag) ?? 0) + 1);
    if (tags.size > TAGS_MAX_COUNT) throw new ReportRefusal("too-many-rows", each.line, row.tag);
    addSums(sums, row, each.line);
  }
  const facts = reader.end();
  const { kind, headingLine, headingCells } = text;
  return facts && { ...facts, kind, headingLine, headingText: headingCells.join(", "), rowCount, sums, tags };
}

/** @throws ReportRefusal if a sum does not fit its column: then rows that are added up fit too */
function addSums(total: Sums, row: Sums, line: number): void {
  for (const sum of SUMS) {
    const value = row[sum];
    if (value === null) continue;
    const added = (total[sum] ?? 0) + value;
    if (Math.abs(added) > (AMOUNTS.has(sum) ? MAX_AMOUNT : MAX_COUNT)) {
      throw new ReportRefusal("unclear-number", line, String(added));
    }
    total[sum] = added;
  }
}
