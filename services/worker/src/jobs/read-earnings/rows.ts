import { ReportRefusal } from "./refusal.ts";

/** No line of a report is longer. */
const LINE_MAX_LENGTH = 64 * 1_024;
/** A quoted cell may have breaks. */
const CELL_MAX_LINES = 10;

interface Format {
  delimiter: string;
  /** How many cells a row has. */
  length: number;
  /** The last line before the rows, from 1. */
  after: number;
}

interface Line {
  cells: string[];
  /** A quote in it does not close. */
  isOpen: boolean;
}

/**
 * Passes on the rows of a text that arrives in pieces, each with the number of its first line. A quoted cell goes on in the next
 * line only if the lines are a row together and are none apart: a quote that does not close takes no other row with it.
 * @throws ReportRefusal
 */
export function createRowReader(
  { delimiter, length, after }: Format,
  takeRow: (cells: string[], line: number) => void,
): { add(piece: string): void; end(): void } {
  let rest = "";
  let count = 0;
  /** Lines since a quote that is open. */
  const waiting: string[] = [];
  const split = (lines: readonly string[]) => splitLine(lines.join("\n"), delimiter);
  const isRow = (lines: readonly string[]) => split(lines).cells.length === length;

  /** @returns how many of the lines are the first row; 0: the next line shows it */
  function linesOfRow(lines: readonly string[]): number {
    if (!split(lines.slice(0, 1)).isOpen || lines.length > CELL_MAX_LINES) return 1;
    if (lines.length === 1) return 0;
    if (split(lines).isOpen) return isRow(lines.slice(-1)) ? 1 : 0;
    const areRows = isRow(lines.slice(0, 1)) && isRow(lines.slice(1));
    return isRow(lines) && !areRows ? lines.length : 1;
  }

  function takeRows(isEnd: boolean): void {
    for (let size = 1; size <= waiting.length; ) {
      const found = linesOfRow(waiting.slice(0, size)) || (isEnd && size === waiting.length ? 1 : 0);
      if (found > 0) takeRow(split(waiting.splice(0, found)).cells, count - waiting.length - found + 1);
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

/** A quote that does not close before the next quoted cell, or the end of the line, is a character. */
export function splitLine(line: string, delimiter: string): Line {
  const cells: string[] = [];
  let isOpen = false;
  for (let start = 0; start <= line.length; ) {
    const { end, isClosed } = endOfCell(line, start, delimiter);
    const text = line.slice(start, end);
    if (isClosed) cells.push(text.slice(1, -1).replaceAll('""', '"'));
    else for (const cell of text.split(delimiter)) cells.push(cell === '""' ? "" : cell);
    isOpen ||= !isClosed && line[start] === '"';
    start = end + 1;
  }
  return { cells, isOpen };
}

/** The end of a quoted cell, or of all cells before the next one that begins with a quote. */
function endOfCell(line: string, start: number, delimiter: string): { end: number; isClosed: boolean } {
  if (line[start] !== '"') {
    const quoted = line.indexOf(`${delimiter}"`, start);
    return { end: quoted < 0 ? line.length : quoted, isClosed: false };
  }
  for (let at = line.indexOf('"', start + 1); at >= 0; at = line.indexOf('"', at + 1)) {
    const next = line[at + 1];
    if (next === '"') at++;
    else if (next === undefined || next === delimiter) return { end: at + 1, isClosed: true };
    else if (line[at - 1] === delimiter) return { end: at - 1, isClosed: false };
  }
  return { end: line.length, isClosed: false };
}
