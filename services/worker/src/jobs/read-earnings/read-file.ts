import type { DateOrder, ReportKind } from "@tapthru/proto/rules/earnings";
import { EARNINGS_ROWS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { fractionDigits } from "@tapthru/proto/rules/money";
import { entriesOf, type FileSource } from "./archive.ts";
import { commonCurrencies } from "./currencies.ts";
import { MAX_AMOUNT, MAX_COUNT } from "./numbers.ts";
import type { DatesResult, Orders } from "./period.ts";
import { plainRefusal, type Refusal, ReportRefusal } from "./refusal.ts";
import {
  AMOUNTS,
  createReportReader,
  type ReportReader,
  type ReportRow,
  SUMS,
  type Sums,
  type UnreadLine,
} from "./report-reader.ts";
import { readText } from "./text-reader.ts";

const BATCH = 5_000;
/** At most one more for each of: the decimal places, the order of dates in rows, and that in the title row. */
const MAX_PASSES = 4;
/** In XLSX and ODS, which are ZIPs. */
const SPREADSHEET_FILE = /^(?:\[Content_Types\]|content)\.xml$/;
/** No account has as many tracking ids. */
const TAGS_MAX_COUNT = 10_000;

export interface ReportSink {
  /** Deletes all reports: the file is read from its beginning. */
  restart(): Promise<void>;
  begin(report: { fileName: string; kind: ReportKind }): Promise<number>;
  insert(reportId: number, rows: readonly ReportRow[]): Promise<void>;
}

export interface ReadReport {
  id: number;
  fileName: string;
  kind: ReportKind;
  rowCount: number;
  sums: Sums;
  tags: ReadonlyMap<string, number>;
  dates: DatesResult;
  unclear: Refusal | null;
  /** Those that headings and cells allow; null if none names one. */
  currencies: readonly string[] | null;
  headingLine: number;
  headingText: string;
  unreadLines: readonly UnreadLine[];
}

interface FileReading {
  reports: readonly ReadReport[];
  ignoredFiles: readonly string[];
  digits: number;
}

export interface FileOptions {
  fileName: string | null;
  /** The user's answers; null if none. */
  dateOrder: DateOrder | null;
  /** The currency of the store that the user named. */
  currency: string | null;
  /** Later days are refused. */
  lastDay: string;
  maxRows?: number;
}

interface Options extends Pick<FileOptions, "fileName" | "lastDay" | "maxRows"> {
  orders: Orders;
  digits: number;
}

export interface FileRefusal {
  refusal: Refusal;
  fileName: string | null;
}

export type FileResult = FileReading | FileRefusal | "date-order";

/**
 * Reads all reports of a file, and passes their rows on in batches; again if only the end of the file shows how dates or amounts
 * are written.
 */
export async function readFile(
  source: FileSource,
  { dateOrder, currency, ...options }: FileOptions,
  sink: ReportSink,
): Promise<FileResult> {
  let orders: Orders = { rows: dateOrder, title: dateOrder };
  let digits = fractionDigits(currency ?? "EUR");
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    await sink.restart();
    const reading = await readOnce(source, { ...options, orders, digits }, sink);
    if ("refusal" in reading) return reading;
    const settled = settleOrders(reading.reports, orders);
    if (settled === "date-order") return settled;
    const [named = "EUR"] = commonCurrencies(reading.reports.map((report) => report.currencies)) ?? [];
    const needed = fractionDigits(currency ?? named);
    if (settled === orders && needed === digits) return reading;
    [orders, digits] = [settled, needed];
  }
  throw new Error("The orders of dates in a file do not settle");
}

async function readOnce(source: FileSource, options: Options, sink: ReportSink): Promise<FileReading | FileRefusal> {
  const reports: ReadReport[] = [];
  const ignoredFiles: string[] = [];
  let rowCount = 0;
  const countRow = () => {
    rowCount++;
    if (rowCount > (options.maxRows ?? EARNINGS_ROWS_MAX_COUNT)) throw new ReportRefusal("too-many-rows");
  };
  let current: string | null = null;
  try {
    for await (const { name, bytes } of entriesOf(source)) {
      current = name;
      const fileName = name ?? options.fileName ?? "";
      if (bytes === null) ignoredFiles.push(fileName);
      else {
        const report = await readReport(bytes, { ...options, fileName, countRow }, sink);
        if (report === "ignored") ignoredFiles.push(fileName);
        else if (report !== null) reports.push(report);
      }
    }
    if (reports.length === 0) {
      current = null;
      if (ignoredFiles.some((name) => SPREADSHEET_FILE.test(name))) {
        throw new ReportRefusal("spreadsheet");
      }
      if (ignoredFiles.length > 0) throw new ReportRefusal("unknown-report", null, ignoredFiles.join(", "));
      throw new ReportRefusal("empty-file");
    }
  } catch (refusal) {
    if (!(refusal instanceof ReportRefusal)) throw refusal;
    return { refusal: plainRefusal(refusal), fileName: current };
  }
  return { reports, ignoredFiles, digits: options.digits };
}

async function readReport(
  bytes: AsyncIterable<Uint8Array>,
  options: Options & { fileName: string; countRow(): void },
  sink: ReportSink,
): Promise<ReadReport | "ignored" | null> {
  let reader: ReportReader | undefined;
  let begun: Pick<ReadReport, "id" | "kind" | "headingLine" | "headingText"> | undefined;
  const batch = new Map<string, ReportRow>();
  const tags = new Map<string, number>();
  let sums: Sums | undefined;
  let rowCount = 0;

  async function insertBatch(): Promise<void> {
    if (begun !== undefined && batch.size > 0) await sink.insert(begun.id, [...batch.values()]);
    batch.clear();
  }

  const outcome = await readText(bytes, options.fileName, {
    async begin(text) {
      const ofText = createReportReader(text, options);
      reader = ofText;
      const { kind, headingLine, headingCells } = text;
      const id = await sink.begin({ fileName: options.fileName, kind });
      begun = { id, kind, headingLine, headingText: headingCells.join(", ") };
      return (cells, line) => {
        const row = ofText.read(cells, line);
        if (row === null) return;
        options.countRow();
        rowCount++;
        tags.set(row.tag, (tags.get(row.tag) ?? 0) + 1);
        if (tags.size > TAGS_MAX_COUNT) throw new ReportRefusal("too-many-rows", line, row.tag);
        if (sums === undefined) sums = sumsOf(row);
        else addSums(sums, row);
        const key = `${row.day} ${row.tag} ${row.asin} ${row.isDirect}`;
        const same = batch.get(key);
        if (same === undefined) batch.set(key, row);
        else addSums(same, row);
        checkSums(sums, MAX_AMOUNT, line);
        checkSums(same ?? row, MAX_COUNT, line);
      };
    },
    pause: async () => {
      if (batch.size >= BATCH) await insertBatch();
    },
  });
  if (outcome !== "read" || reader === undefined || begun === undefined) {
    return outcome === "ignored" ? outcome : null;
  }
  await insertBatch();
  const dates = reader.end();
  // A report that has neither rows nor a title row says nothing.
  if (rowCount === 0 && dates.period === null && dates.orders.title === null) return null;
  return {
    ...begun,
    fileName: options.fileName,
    rowCount,
    sums: sums ?? sumsOf(),
    tags,
    dates,
    unclear: reader.unclear && plainRefusal(reader.unclear),
    currencies: reader.currencies,
    unreadLines: reader.unreadLines,
  };
}

/** The sums alone; null for each that the report does not have. */
const sumsOf = (row: Partial<Sums> = {}) => Object.fromEntries(SUMS.map((sum) => [sum, row[sum] ?? null])) as Sums;

function addSums(total: Sums, row: Sums): void {
  for (const sum of SUMS) {
    const [own, other] = [total[sum], row[sum]];
    if (own !== null && other !== null) total[sum] = own + other;
  }
}

/** @throws ReportRefusal if a number does not fit its column */
function checkSums(sums: Sums, maxCount: number, line: number): void {
  for (const sum of SUMS) {
    const [value, max] = [sums[sum] ?? 0, AMOUNTS.has(sum) ? MAX_AMOUNT : maxCount];
    if (Math.abs(value) > max) throw new ReportRefusal("unclear-number", line, String(value));
  }
}

/**
 * The orders with which the file is to be read: `used` if they are right, or those that its reports show together. `date-order`:
 * a report does not show it, and no other one does.
 */
function settleOrders(reports: readonly ReadReport[], used: Orders): Orders | "date-order" {
  const rows = only(reports.map(({ dates }) => dates.orders.rows)) ?? used.rows;
  const title = only(reports.map(({ dates }) => dates.orders.title)) ?? used.title;
  const isOpen = reports.some(({ dates }) => dates.period === null);
  if (isOpen && rows === used.rows && title === used.title) return "date-order";
  return isOpen || reports.some(({ dates }) => dates.isWrong) ? { rows, title } : used;
}

/** The only order that occurs; null if there are none or both. */
function only(orders: readonly (DateOrder | null)[]): DateOrder | null {
  const found = new Set(orders.filter((order) => order !== null));
  return found.size === 1 ? ([...found][0] ?? null) : null;
}
