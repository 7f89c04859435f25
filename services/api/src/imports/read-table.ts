import { Readable } from "node:stream";
import { IMPORT_LINES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { CsvError, type InfoRecord, type Options, parse } from "csv-parse";
import { ApiError } from "../errors.ts";

export interface TableRow {
  /** The number of its first line in the file, from 1. */
  line: number;
  cells: string[];
}

const CHUNK_BYTES = 64 * 1_024;
const DELIMITER_SAMPLE_LENGTH = 64 * 1_024;
/** What is beyond these is ignored: no export has as many columns, and no cell that is used is as long. */
const COLUMNS_MAX_COUNT = 200;
const CELL_MAX_LENGTH = 10_000;
const DELIMITERS = [",", ";", "\t"] as const;
/** The header is no line of the import. */
const MAX_ROWS = IMPORT_LINES_MAX_COUNT + 1;

/**
 * Reads the rows of a CSV: separated by commas, semicolons or tabs, with any line ends. Rows may have different numbers of
 * cells; empty lines are left out. If a quote is not closed, quotes are read as ordinary characters.
 * @throws ApiError if there are too many rows, or the text cannot be read
 */
export async function readTable(text: string): Promise<TableRow[]> {
  const options = { delimiter: findDelimiter(text) };
  try {
    return await readRows(text, options);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  try {
    return await readRows(text, { ...options, quote: null });
  } catch (error) {
    throw error instanceof CsvError ? new ApiError("import-unreadable", { cause: error }) : error;
  }
}

async function readRows(text: string, options: Options): Promise<TableRow[]> {
  const parser = Readable.from(chunks(text), { objectMode: false }).pipe(
    parse({
      ...options,
      info: true,
      // An escaped quote would otherwise end with the file at the latest, which is at most 10 MB.
      max_record_size: 0,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }),
  );
  const rows: TableRow[] = [];
  for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
    if (rows.length === MAX_ROWS) throw new ApiError("import-too-many-lines");
    const previous = rows.at(-1)?.line ?? 0;
    const line = Math.max(previous + 1, firstLine(record, info.lines));
    rows.push({ line, cells: record.slice(0, COLUMNS_MAX_COUNT).map(shortened) });
  }
  return rows;
}

interface ParsedRow {
  record: string[];
  info: InfoRecord & { lines: number };
}

function shortened(cell: string): string {
  return cell.slice(0, CELL_MAX_LENGTH);
}

/** @param lastLine the number of the row's last line */
function firstLine(cells: readonly string[], lastLine: number): number {
  const breaks = cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
  return lastLine - breaks;
}

/** The most frequent one in the first line. */
function findDelimiter(text: string): string {
  const [line = ""] = /[^\r\n]+/.exec(text) ?? [];
  const unquoted = line.slice(0, DELIMITER_SAMPLE_LENGTH).replaceAll(/"[^"]*"/g, "");
  const count = (delimiter: string) => unquoted.split(delimiter).length;
  return [...DELIMITERS].sort((a, b) => count(b) - count(a))[0] ?? ",";
}

/** Cut by bytes, because cutting the text could divide a character. */
function* chunks(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i += CHUNK_BYTES) yield bytes.subarray(i, i + CHUNK_BYTES);
}
