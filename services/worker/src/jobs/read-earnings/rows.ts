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

interface Line {
  cells: string[];
  /** The index of the first cell whose quote does not close; -1 if there is none. */
  open: number;
}

/**
 * Passes on the rows of a text that arrives in pieces, each with the number of its first line. A quoted cell goes on in the next
 * line only if the lines are a row together and at most one may be a row alone: an open quote takes no other row with it.
 * @throws ReportRefusal
 */
export function createRowReader(
  { delimiter, length, after }: Format,
  takeRow: (cells: string[], line: number) => void,
): { add(piece: string): void; end(): void } {
  let rest = "";
  let count = 0;
  const waiting: string[] = [];
  const split = (lines: readonly string[]) => splitLine(lines.join("\n"), delimiter);
  const hasRow = (line: string) => split([line]).cells.length >= length;

  /** Separators behind a quote that does not close are characters of its cell, if the row has too many. */
  function cellsOf(lines: readonly string[]): string[] {
    const { cells, open } = split(lines);
    if (open < 0 || cells.length <= length) return cells;
    const count = cells.length - length + 1;
    return cells.toSpliced(open, count, cells.slice(open, open + count).join(delimiter));
  }

  /** @returns how many of the lines are the first row; 0: the next line shows it */
  function linesOfRow(lines: readonly string[]): number {
    if (split(lines.slice(0, 1)).open < 0 || lines.length > CELL_MAX_LINES || lines.filter(hasRow).length > 1) return 1;
    const { cells, open } = split(lines);
    if (open >= 0) return 0;
    return cells.length === length ? lines.length : 1;
  }

  function takeRows(isEnd: boolean): void {
    for (let size = 1; size <= waiting.length; ) {
      const found = linesOfRow(waiting.slice(0, size)) || (isEnd && size === waiting.length ? 1 : 0);
      if (found > 0) takeRow(cellsOf(waiting.splice(0, found)), count - waiting.length - found + 1);
      size = found > 0 ? 1 : size + 1;
    }
  }

  function addLine(line: string): void {
    count++;
    if (count <= after) return;
    // Postgres stores no NUL. Texts in UTF-32 have some, and others that are damaged.
    if (line.length > LINE_MAX_LENGTH || line.includes("\0")) throw new ReportRefusal("unreadable-file", count);
    waiting.push(line);
    takeRows(false);
  }

  return {
    add(piece) {
      // A return at the end may be followed by a line feed.
      const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) addLine(line);
      if (rest.length > LINE_MAX_LENGTH) addLine(rest);
    },
    end() {
      if (rest !== "") addLine(rest.replace(/\r$/, ""));
      takeRows(true);
    },
  };
}

/** The next cell: in quotes, within which one that is none at an edge of a cell is a character, or without. */
const CELLS = new Map(
  DELIMITERS.map((delimiter) => [
    delimiter,
    new RegExp(`"((?:[^"]|""|(?<!${delimiter})"(?!["${delimiter}]|$))*)"(?=${delimiter}|$)|[^${delimiter}]*`, "y"),
  ]),
);

/** A quote that opens a cell and does not close is a character. */
export function splitLine(line: string, delimiter: string): Line {
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
