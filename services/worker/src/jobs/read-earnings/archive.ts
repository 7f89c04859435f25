import { pipeline, Readable } from "node:stream";
import { crc32, createGunzip, createInflateRaw } from "node:zlib";
import { ReportRefusal } from "./refusal.ts";

/** A file that can be read from any byte on. */
export interface FileSource {
  size: number;
  /** The bytes from `from` to before `to`, in chunks. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

export interface Entry {
  /** Of a file in a ZIP; null: the file itself. */
  name: string | null;
  /** Null: it is no text. */
  bytes: AsyncIterable<Uint8Array> | null;
}

/** Of all entries together. A million rows have about 200 MB. */
const TEXTS_MAX_BYTES = 512 * 1_024 * 1_024;
/** Reports become 5 to 30 times as large; a small one of equal rows may become larger. */
const INFLATED_MAX_FACTOR = 100;
const INFLATED_MIN_BYTES = 1_024 * 1_024;
const ENTRIES_MAX_COUNT = 200;
const DIRECTORY_MAX_BYTES = 1_024 * 1_024;
const NAME_MAX_LENGTH = 200;
const TEXT_NAME = /\.(?:csv|tsv|txt)$/i;
/** Added by macOS. */
const SIDE_FILE = /^__MACOSX\/|(?:^|\/)\._/;

/**
 * The texts of a ZIP, of a compressed text or of a text. Names are never used as paths. Each must be read before the next.
 * @throws ReportRefusal also while the bytes are read
 */
export async function* entriesOf(source: FileSource, maxBytes = TEXTS_MAX_BYTES): AsyncGenerator<Entry> {
  const inflatedMax = Math.max(INFLATED_MIN_BYTES, INFLATED_MAX_FACTOR * source.size);
  function checkSize(size: number): void {
    if (size > maxBytes) throw new ReportRefusal("too-many-rows");
    if (size > inflatedMax) throw new ReportRefusal("unreadable-file");
  }
  const start = await bytesOf(source, 0, Math.min(4, source.size));
  if (start.toString("latin1", 0, 2) === "PK") {
    yield* zipEntries(source, checkSize);
  } else if (start.toString("hex") === "d0cf11e0") {
    // XLS.
    throw new ReportRefusal("spreadsheet");
  } else if (start[0] === 0x1f && start[1] === 0x8b) {
    const bytes = inflated(source.read(0, source.size), createGunzip());
    yield { name: null, bytes: checked(bytes, checkSize) };
  } else {
    yield { name: null, bytes: source.read(0, source.size) };
  }
}

/** @param checkSize called with the number of bytes so far */
async function* checked(
  bytes: AsyncIterable<Uint8Array>,
  checkSize: (size: number) => void,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    checkSize(size);
    yield chunk;
  }
}

/** Reads the list at the end of the file, because the headers of entries need not say their sizes. */
async function* zipEntries(source: FileSource, checkSize: (size: number) => void): AsyncGenerator<Entry> {
  const entries = (await readDirectory(source)).filter(({ name }) => !name.endsWith("/") && !SIDE_FILE.test(name));
  const texts = entries.filter(({ name }) => TEXT_NAME.test(name));
  checkSize(texts.reduce((sum, { size }) => sum + size, 0));
  const starts = await findStarts(source, texts);
  for (const entry of entries) {
    const { name, isEncrypted } = entry;
    const start = starts.get(entry);
    if (start === undefined) yield { name, bytes: null };
    else if (isEncrypted) throw new ReportRefusal("unreadable-file");
    else yield { name, bytes: entryBytes(source, start, entry) };
  }
}

/** Where the bytes of each entry begin. Those that share bytes would inflate a small file again and again. */
async function findStarts(source: FileSource, entries: readonly Place[]): Promise<ReadonlyMap<Place, number>> {
  const starts = new Map<Place, number>();
  let end = 0;
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    const header = await bytesOf(source, entry.offset, entry.offset + LOCAL_HEADER_BYTES);
    const isHeader = header.length === LOCAL_HEADER_BYTES && header.readUInt32LE(0) === 0x04034b50;
    if (!isHeader || entry.offset < end) throw new ReportRefusal("unreadable-file");
    const start = entry.offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
    end = start + entry.compressedSize;
    starts.set(entry, start);
  }
  return starts;
}

interface Place {
  offset: number;
  method: number;
  crc: number;
  size: number;
  compressedSize: number;
}

const END_BYTES = 22;
const COMMENT_MAX_BYTES = 65_535;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;

/** PKWARE's APPNOTE, 4.3.12 and 4.3.16. */
async function readDirectory(source: FileSource): Promise<(Place & { name: string; isEncrypted: boolean })[]> {
  const from = Math.max(0, source.size - END_BYTES - COMMENT_MAX_BYTES);
  const tail = await bytesOf(source, from, source.size);
  const end = tail.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (end < 0 || end + END_BYTES > tail.length) throw new ReportRefusal("unreadable-file");
  const count = tail.readUInt16LE(end + 10);
  const size = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  if (count > ENTRIES_MAX_COUNT || size > DIRECTORY_MAX_BYTES || start + size > source.size) {
    throw new ReportRefusal("unreadable-file");
  }
  const directory = await bytesOf(source, start, start + size);
  const entries = [];
  for (let at = 0; entries.length < count; ) {
    if (at + DIRECTORY_ENTRY_BYTES > size || directory.readUInt32LE(at) !== 0x02014b50) {
      throw new ReportRefusal("unreadable-file");
    }
    const flags = directory.readUInt16LE(at + 8);
    const nameEnd = at + DIRECTORY_ENTRY_BYTES + directory.readUInt16LE(at + 28);
    const name = directory.toString(flags & 0x800 ? "utf8" : "latin1", at + DIRECTORY_ENTRY_BYTES, nameEnd);
    entries.push({
      name: name.replaceAll("\0", "").slice(0, NAME_MAX_LENGTH).toWellFormed(),
      isEncrypted: (flags & 1) === 1,
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      compressedSize: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

async function* entryBytes(
  source: FileSource,
  start: number,
  { method, crc, size, compressedSize }: Place,
): AsyncGenerator<Uint8Array> {
  const stored = source.read(start, Math.min(start + compressedSize, source.size));
  if (method !== 0 && method !== 8) throw new ReportRefusal("unreadable-file");
  const bytes = method === 0 ? stored : inflated(stored, createInflateRaw());
  let [length, sum] = [0, 0];
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > size) break;
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (length !== size || sum !== crc) throw new ReportRefusal("unreadable-file");
}

async function* inflated(
  compressed: AsyncIterable<Uint8Array>,
  inflate: ReturnType<typeof createInflateRaw | typeof createGunzip>,
): AsyncGenerator<Uint8Array> {
  let readError: unknown;
  async function* input() {
    try {
      yield* compressed;
    } catch (error) {
      readError = error;
      throw error;
    }
  }
  // `pipeline` requires a callback. The loop gets the error too.
  pipeline(Readable.from(input()), inflate, () => {});
  try {
    yield* inflate as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (readError !== undefined) throw readError;
    // The codes of zlib.
    const isZlib = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    throw isZlib ? new ReportRefusal("unreadable-file") : error;
  }
}

async function bytesOf(source: FileSource, from: number, to: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.read(from, to)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
