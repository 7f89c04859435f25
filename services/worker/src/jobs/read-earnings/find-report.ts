import type { ReportKind } from "@tapthru/proto/rules/earnings";
import { utf16Encoding } from "@tapthru/proto/rules/text-encoding";
import type { OpenText } from "./archive.ts";
import { type Heading, readHeading } from "./headings.ts";
import { isComplete, kindByColumns, kindByName } from "./kinds.ts";
import { isNumber } from "./numbers.ts";
import { ReportRefusal } from "./refusal.ts";
import { DELIMITERS, type Row, rowsOf, splitLine } from "./rows.ts";

const SAMPLE_BYTES = 64 * 1_024;
const SAMPLE_LINES = 12;
/** Fewer columns that are known may be chance. */
const COLUMNS_MIN_COUNT = 2;
/** Encodings of the languages of stores: western, central European, Turkish and Arabic ones. */
const CODE_PAGES = ["windows-1252", "windows-1250", "windows-1254", "windows-1256"];

/** How a text with a report is written. */
export interface ReportText {
  kind: ReportKind;
  encoding: string;
  delimiter: string;
  heading: Heading;
  headingLine: number;
  headingCells: readonly string[];
  /** The text before the headings. */
  title: string;
}

/**
 * Finds the report in a text: in UTF-8, UTF-16, Shift-JIS or a code page of Windows, separated by commas, tabs or semicolons, with
 * a title row or without.
 * @returns null if it is empty; `ignored` if it is one of Amazon's reports from which nothing is shown
 * @throws ReportRefusal
 */
export async function findReport(open: OpenText, fileName: string): Promise<ReportText | "ignored" | null> {
  const start = await startOf(open());
  const texts = encodingsOf(start).flatMap((encoding) => {
    const lines = linesOf(start, encoding);
    return lines === null ? [] : [{ encoding, lines }];
  });
  const firstLines = texts[0]?.lines ?? [];
  const nul = firstLines.findIndex((line) => line.includes("\0"));
  if (nul >= 0) throw new ReportRefusal("unreadable-file", nul + 1);
  const firstText = firstLines.findIndex((line) => /\S/.test(line));
  if (firstText < 0) return null;
  const candidates = texts.flatMap(({ encoding, lines }) =>
    DELIMITERS.flatMap((delimiter) => headingsIn(lines, delimiter).map((found) => ({ encoding, delimiter, ...found }))),
  );
  const [best] = candidates.toSorted((a, b) => b.columnCount - a.columnCount || b.numberCount - a.numberCount);
  const title = best?.title ?? firstLines[firstText] ?? "";
  const titled = kindByName(title, true);
  const named = titled ?? kindByName(fileName, false);
  if (named === "ignored") return "ignored";
  if (best === undefined) throw new ReportRefusal("unknown-report", firstText + 1, title);
  const byColumns = kindByColumns(best.heading.columns);
  if (byColumns === "ignored" && named === null) return "ignored";
  const kinds = [named, titled === null ? byColumns : null].filter((kind) => kind !== null && kind !== "ignored");
  const kind = kinds.find((each) => isComplete(each, best.heading));
  if (kind !== undefined) return { kind, ...best };
  const reason = kinds.length === 0 ? "unknown-report" : "missing-column";
  throw new ReportRefusal(reason, best.headingLine, best.headingCells.join(", "));
}

/** The rows after the headings. @throws ReportRefusal */
export function readRows(open: OpenText, text: ReportText): AsyncGenerator<Row> {
  const { encoding, delimiter, headingCells, headingLine } = text;
  return rowsOf(decoded(open(), encoding), { delimiter, length: headingCells.length, after: headingLine });
}

async function startOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= SAMPLE_BYTES) break;
  }
  return Buffer.concat(chunks);
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

function encodingsOf(start: Buffer): string[] {
  const utf16 = utf16Encoding(start);
  return utf16 === null ? ["utf-8", "shift_jis", ...CODE_PAGES] : [utf16];
}

/** Returns null if the bytes are no text in this encoding. */
function linesOf(start: Buffer, encoding: string): string[] | null {
  try {
    // The sample may end within a character.
    const text = new TextDecoder(encoding, { fatal: true }).decode(start, { stream: true });
    return text.split(/\r\n|\n|\r/).slice(0, SAMPLE_LINES);
  } catch {
    return null;
  }
}

/** The lines that may be headings. The best one has the most known columns, and then the most numbers after it. */
function headingsIn(lines: readonly string[], delimiter: string) {
  const rows = lines.map((line) => splitLine(line, delimiter).cells);
  return rows.flatMap((headingCells, index) => {
    const heading = readHeading(headingCells);
    const columnCount = Object.keys(heading.columns).length;
    if (columnCount < COLUMNS_MIN_COUNT) return [];
    const numberCount = rows
      .slice(index + 1)
      .flat()
      .filter(isNumber).length;
    const title = lines.slice(0, index).join(" ").trim();
    return [{ columnCount, numberCount, heading, headingLine: index + 1, headingCells, title }];
  });
}
