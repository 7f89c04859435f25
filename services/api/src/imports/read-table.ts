import { Readable } from "node:stream";
import { IMPORT_LINES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { CsvError, type InfoRecord, type Options, parse } from "csv-parse";
import { ApiError } from "../errors.ts";

export interface TableRow {
  /** The number of its first line in the file, from 1. */
  line: number;
  cells: string[];
}

const CHUNK_LENGTH = 64 * 1_024;
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
    rows.push({ cells: record, line: Math.max(previous + 1, firstLine(record, info.lines)) });
  }
  return rows;
}

interface ParsedRow {
  record: string[];
  info: InfoRecord & { lines: number };
}

/** @param lastLine the number of the row's last line */
function firstLine(cells: readonly string[], lastLine: number): number {
  const breaks = cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
  return lastLine - breaks;
}

/** The most frequent one in the first line. */
function findDelimiter(text: string): string {
  const [line = ""] = /[^\r\n]+/.exec(text) ?? [];
  const unquoted = line.slice(0, CHUNK_LENGTH).replaceAll(/"[^"]*"/g, "");
  const count = (delimiter: string) => unquoted.split(delimiter).length;
  return [...DELIMITERS].sort((a, b) => count(b) - count(a))[0] ?? ",";
}

function* chunks(text: string): Generator<string> {
  for (let i = 0; i < text.length; i += CHUNK_LENGTH) yield text.slice(i, i + CHUNK_LENGTH);
}
