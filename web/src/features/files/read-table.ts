import { IMPORT_LINES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { firstLine, utf16Encoding } from "@tapthru/proto/rules/text-encoding";
import { CsvError, parse } from "csv-parse/browser/esm/sync";
import { FileRefusal } from "./file-refusal.ts";

export interface TableRow {
  /** The number of its first line in the file, from 1. */
  line: number;
  cells: string[];
}

const DELIMITER_SAMPLE_LENGTH = 64 * 1_024;
/** No export has as many, and cells take memory even if they are empty. */
export const COLUMNS_MAX_COUNT = 200;
/** Without a limit, a quote that is not closed makes a row of the rest of the file. */
const ROW_MAX_BYTES = 3 * 1_024 * 1_024;
/** Text beyond it is ignored: no cell that is used is as long. */
const CELL_MAX_LENGTH = 10_000;
const DELIMITERS = [",", ";", "\t"] as const;
/** The names of the columns are in one of these. */
export const HEADER_ROWS = 5;
const MAX_ROWS = IMPORT_LINES_MAX_COUNT + HEADER_ROWS;
/** The separator that Excel writes into the first line, or reads there. */
const SEPARATOR_LINE = /^"?sep=([^\p{L}\p{N}"\r\n])"?(?:\r\n|\r|\n|$)/iu;

/**
 * Reads the rows of a CSV: separated by commas, semicolons, tabs, bars or what its first line says, with any line ends. Rows may have
 * different numbers of cells; empty lines are left out.
 * @param isHeader whether cells are the names of known columns
 * @throws FileRefusal if there are too many rows or columns, or the text cannot be read, such as with a quote that is not closed
 */
export function readTable(text: string, isHeader: (cells: string[]) => boolean): TableRow[] {
  const [separatorLine = "", separator] = SEPARATOR_LINE.exec(text) ?? [];
  const linesBefore = separator === undefined ? 0 : 1;
  const rows: TableRow[] = [];
  try {
    parse(text.slice(separatorLine.length), {
      delimiter: separator ?? findDelimiter(text, isHeader),
      cast: requireColumn,
      max_record_size: ROW_MAX_BYTES,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record(record: string[], info) {
        if (rows.length === MAX_ROWS) throw new FileRefusal("too-many-lines");
        const line = Math.max((rows.at(-1)?.line ?? 0) + 1, firstLine(record, linesBefore + info.lines));
        rows.push({ line, cells: record.map(shortened) });
        return null;
      },
    });
    return rows;
  } catch (error) {
    throw error instanceof CsvError ? new FileRefusal("unreadable") : error;
  }
}

/** Called for each cell while its row is read. */
function requireColumn(cell: string, { index }: { index: number }): string {
  if (index >= COLUMNS_MAX_COUNT) throw new FileRefusal("too-many-columns");
  return cell;
}

export function shortened(cell: string): string {
  return cell.slice(0, CELL_MAX_LENGTH);
}

/** The one that divides one of the first lines into known columns, else the most frequent one above the first address. */
function findDelimiter(text: string, isHeader: (cells: string[]) => boolean): string {
  const start = text.slice(0, DELIMITER_SAMPLE_LENGTH);
  const lines = start
    .split(/[\r\n]+/)
    .filter(Boolean)
    .slice(0, HEADER_ROWS);
  const firstAddress = lines.findIndex((line) => line.includes("://"));
  // The semicolon of an entity such as &amp; is none.
  const plain = lines.slice(0, Math.max(1, firstAddress)).map((line) => line.replaceAll(/"[^"]*"|&#?\w{1,8};/g, ""));
  const heading = plain.find((line) => DELIMITERS.some((delimiter) => line.includes(delimiter))) ?? "";
  const count = (delimiter: string) => heading.split(delimiter).length;
  const byCount = DELIMITERS.toSorted((a, b) => count(b) - count(a));
  const divides = (delimiter: string) => (line: string) => {
    const cells = line.split(delimiter).map((cell) => cell.replaceAll('"', ""));
    return cells.length > 1 && isHeader(cells);
  };
  // A bar is a part of many searches.
  return [...byCount, "|"].find((delimiter) => lines.some(divides(delimiter))) ?? byCount[0] ?? ",";
}

/** ZIP, as XLSX, ODS and Numbers are; the XLS before them; gzip. */
const ARCHIVES = ["PK\x03\x04", "PK\x05\x06", "\xd0\xcf\x11\xe0", "\x1f\x8b"];
/** PDF and pictures. */
const OTHERS = ["%PDF", "\x89PNG", "\xff\xd8\xff", "GIF8", "RIFF"];

interface DecodedFile {
  text: string;
  /** True if the bytes show the encoding; false if they could have another one. */
  isCertain: boolean;
}

/**
 * Decodes a text file by its byte order mark, else UTF-16 if it looks like it, else UTF-8 if it is valid, else Windows-1252, which
 * includes Latin-1.
 * @throws FileRefusal if it is a known kind of other file, or has a NUL character, which the api does not take, as a text in UTF-32 has
 */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  const start = String.fromCharCode(...bytes.subarray(0, 4));
  if (ARCHIVES.some((each) => start.startsWith(each))) throw new FileRefusal("archive");
  if (OTHERS.some((each) => start.startsWith(each))) throw new FileRefusal("not-text");
  const decoded = decode(bytes);
  const { text } = decoded;
  const nul = text.indexOf("\0");
  if (nul === -1) return decoded;
  const line = text.slice(0, nul).split(/\r\n|\r|\n/).length;
  throw new FileRefusal(
    "unreadable",
    `Line ${line} of this file has a character that is not text. Please save the file in UTF-8.`,
  );
}

function decode(bytes: Uint8Array): DecodedFile {
  const encoding = utf16Encoding(bytes) ?? "utf-8";
  try {
    return { text: new TextDecoder(encoding, { fatal: encoding === "utf-8" }).decode(bytes), isCertain: true };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), isCertain: false };
  }
}
