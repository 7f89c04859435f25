import { utf16Encoding } from "@tapthru/proto/rules/text-encoding";
import { type Heading, isComplete, kindByColumns, kindByName, readHeading } from "./headings.ts";
import { isNumber } from "./numbers.ts";
import { ReportRefusal } from "./refusal.ts";
import type { ReportText } from "./report-reader.ts";
import { createRowReader, DELIMITERS, splitLine } from "./rows.ts";

const SAMPLE_BYTES = 64 * 1_024;
const SAMPLE_LINES = 12;
/** Fewer columns that are known may be chance. */
const COLUMNS_MIN_COUNT = 2;
/** Encodings of the languages of stores: western, central European, Turkish and Arabic ones. */
const CODE_PAGES = ["windows-1252", "windows-1250", "windows-1254", "windows-1256"];

interface Sample {
  encoding: string;
  delimiter: string;
  text: ReportText;
}

interface TextHandlers {
  /** @returns what to do with each row after the headings; `line` is where it begins, from 1 */
  begin(text: ReportText): Promise<(cells: string[], line: number) => void>;
  pause(): Promise<void>;
}

/**
 * Reads the rows of a text: in UTF-8, UTF-16, Shift-JIS or a code page of Windows, separated by commas, tabs or semicolons, with a
 * title row or without.
 * @returns null if it is empty; `ignored` if it is one of Amazon's reports from which nothing is shown
 * @throws ReportRefusal
 */
export async function readText(
  bytes: AsyncIterable<Uint8Array>,
  fileName: string,
  { begin, pause }: TextHandlers,
): Promise<"read" | "ignored" | null> {
  const iterator = bytes[Symbol.asyncIterator]();
  try {
    const start = await takeStart(iterator);
    const sample = examine(start, fileName);
    if (sample === null || sample === "ignored") return sample;
    const { encoding, delimiter, text } = sample;
    const format = { delimiter, length: text.headingCells.length, after: text.headingLine };
    const rows = createRowReader(format, await begin(text));
    for await (const piece of decoded(start, iterator, encoding)) {
      rows.add(piece);
      await pause();
    }
    rows.end();
    return "read";
  } finally {
    await iterator.return?.();
  }
}

async function takeStart(iterator: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (let length = 0; length < SAMPLE_BYTES; ) {
    const { value, done } = await iterator.next();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  return Buffer.concat(chunks);
}

/** Pieces are as small as those of files in a ZIP, so that few rows wait. */
async function* decoded(start: Buffer, iterator: AsyncIterator<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  let chunk: Uint8Array = start;
  for (let done: boolean | undefined = false; !done; ) {
    for (let from = 0; from < chunk.length; from += SAMPLE_BYTES) {
      const part = chunk.subarray(from, from + SAMPLE_BYTES);
      yield decoder.decode(part, { stream: true });
    }
    const next = await iterator.next();
    done = next.done;
    chunk = next.value ?? chunk;
  }
  yield decoder.decode();
}

/** Finds encoding, delimiter and headings by trying: the ones with the most known columns, then with the most numbers. */
function examine(start: Buffer, fileName: string): Sample | "ignored" | null {
  let best: (Omit<Sample, "text"> & FoundHeading & { numbers: number }) | null = null;
  let firstLines: string[] = [];
  for (const encoding of encodingsOf(start)) {
    const lines = linesOf(start, encoding);
    if (lines === null) continue;
    firstLines = firstLines.length > 0 ? firstLines : lines;
    for (const delimiter of DELIMITERS) {
      const found = findHeading(lines, delimiter);
      if (found === null || found.count < Math.max(COLUMNS_MIN_COUNT, best?.count ?? 0)) continue;
      const rows = lines.slice(found.headingLine).map((line) => splitLine(line, delimiter).cells);
      const numbers = rows.flat().filter(isNumber).length;
      if (best === null || found.count > best.count || numbers > best.numbers) {
        best = { encoding, delimiter, numbers, ...found };
      }
    }
  }
  const nul = firstLines.findIndex((line) => line.includes("\0"));
  if (nul >= 0) throw new ReportRefusal("unreadable-file", nul + 1);
  const firstText = firstLines.findIndex((line) => /\S/.test(line));
  if (firstText < 0) return null;
  const title = best === null ? (firstLines[firstText] ?? "") : best.title;
  const titled = kindByName(title, true);
  const named = titled ?? kindByName(fileName, false);
  if (named === "ignored") return "ignored";
  if (best === null) throw new ReportRefusal("unknown-report", firstText + 1, title);
  const { encoding, delimiter, heading, headingLine, headingCells } = best;
  const refuse = (reason: "unknown-report" | "missing-column") =>
    new ReportRefusal(reason, headingLine, headingCells.join(", "));
  const byColumns = kindByColumns(heading.columns);
  if (byColumns === "ignored" && named === null) return "ignored";
  const kinds = [named, titled === null ? byColumns : null].filter((kind) => kind !== null && kind !== "ignored");
  if (kinds.length === 0) throw refuse("unknown-report");
  const kind = kinds.find((kind) => isComplete(kind, heading));
  if (kind === undefined) throw refuse("missing-column");
  return { encoding, delimiter, text: { kind, heading, headingLine, headingCells, title } };
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

interface FoundHeading {
  count: number;
  heading: Heading;
  headingLine: number;
  headingCells: string[];
  title: string;
}

function findHeading(lines: readonly string[], delimiter: string): FoundHeading | null {
  let best: FoundHeading | null = null;
  for (const [index, line] of lines.entries()) {
    const headingCells = splitLine(line, delimiter).cells;
    const heading = readHeading(headingCells);
    const count = Object.keys(heading.columns).length;
    if (count <= (best?.count ?? 0)) continue;
    const title = lines.slice(0, index).join(" ").trim();
    best = { count, heading, headingLine: index + 1, headingCells, title };
  }
  return best;
}
