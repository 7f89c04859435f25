import { ReportRefusal } from "./refusal.ts";

export const DELIMITERS = [",", "\t", ";"];
const LINE_MAX_LENGTH = 64 * 1_024;
/** A quoted cell may have breaks. */
const CELL_MAX_LINES = 10;

interface Format {
  delimiter: string;
  length: number;
  /** The last line before the rows, from 1. */
  after: number;
}

export interface Row {
  cells: string[];
  /** Where it begins, from 1. */
  line: number;
}

/**
 * The rows of a text that arrives in pieces. A quoted cell goes on in the next line only if the lines are a row together and at
 * most one may be a row alone: an open quote takes no other row with it, as it does in csv-parse and Papa Parse, which both join
 * `Mug,"Wicked,"12,99"` with what follows.
 * @throws ReportRefusal
 */
export async function* rowsOf(
  pieces: AsyncIterable<string>,
  { delimiter, length, after }: Format,
): AsyncGenerator<Row> {
  const split = (lines: readonly string[]) => splitLine(lines.join("\n"), delimiter);
  const hasRow = (line: string) => split([line]).cells.length >= length;

  /** Separators behind a quote that does not close are characters of its cell, if the row has too many. */
  function cellsOf(lines: readonly string[]): string[] {
    const { cells, open } = split(lines);
    if (open < 0 || cells.length <= length) return cells;
    const count = cells.length - length + 1;
    return cells.toSpliced(open, count, cells.slice(open, open + count).join(delimiter));
  }

  let count = 0;
  let waiting: string[] = [];

  /** How many of the lines that wait are a row; 0: the next line shows it. */
  function linesOfRow(isEnd: boolean): number {
    if (split(waiting.slice(0, 1)).open < 0) return 1;
    for (let size = 1; size <= waiting.length; size++) {
      const lines = waiting.slice(0, size);
      if (size > CELL_MAX_LINES || lines.filter(hasRow).length > 1) return 1;
      const { cells, open } = split(lines);
      if (open < 0) return cells.length === length ? size : 1;
    }
    return isEnd ? 1 : 0;
  }

  function* takeRows(isEnd: boolean): Generator<Row> {
    for (let size = 1; waiting.length > 0 && size > 0; ) {
      size = linesOfRow(isEnd);
      if (size > 0) yield { cells: cellsOf(waiting.slice(0, size)), line: count - waiting.length + 1 };
      waiting = waiting.slice(size);
    }
  }

  for await (const line of linesOf(pieces)) {
    count++;
    if (count <= after) continue;
    // Postgres stores no NUL. Texts in UTF-32 have some, and others that are damaged.
    if (line.length > LINE_MAX_LENGTH || line.includes("\0")) throw new ReportRefusal("unreadable-file", count);
    waiting.push(line);
    yield* takeRows(false);
  }
  yield* takeRows(true);
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    // A return at the end may be followed by a line feed.
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    yield* lines;
    if (rest.length > LINE_MAX_LENGTH) yield rest;
  }
  if (rest !== "") yield rest.replace(/\r$/, "");
}

/** The next cell: in quotes, within which one that is none at an edge of a cell is a character, or without. */
const CELLS = new Map(
  DELIMITERS.map((delimiter) => [
    delimiter,
    new RegExp(`"((?:[^"]|""|(?<!${delimiter})"(?!["${delimiter}]|$))*)"(?=${delimiter}|$)|[^${delimiter}]*`, "y"),
  ]),
);

/** A quote that opens a cell and does not close is a character. `open`: the index of the first such cell; -1 if there is none. */
export function splitLine(line: string, delimiter: string): { cells: string[]; open: number } {
  const cell = CELLS.get(delimiter) ?? /.*/sy;
  const cells: string[] = [];
  let open = -1;
  for (cell.lastIndex = 0; cell.lastIndex <= line.length; cell.lastIndex++) {
    const [text = "", quoted] = cell.exec(line) ?? [];
    cells.push(quoted?.replaceAll('""', '"') ?? text);
    if (open < 0 && quoted === undefined && text.startsWith('"')) open = cells.length - 1;
  }
  return { cells, open };
}
