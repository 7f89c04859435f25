import { Duplex } from "node:stream";
import { createGunzip } from "node:zlib";
import { type FileEntry, Reader, ZipReader } from "@zip.js/zip.js/lib/zip-core-native.js";
import { ReportRefusal } from "./refusal.ts";

export interface FileSource {
  size: number;
  /** The bytes from `from` to before `to`, in chunks. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

export interface Entry {
  /** The name of a file in a ZIP; null for the file itself. */
  name: string | null;
  /** Null if it is no text. */
  bytes: AsyncIterable<Uint8Array> | null;
}

/** The size of all entries together. A million rows have about 200 MB. */
const TEXTS_MAX_BYTES = 512 * 1_024 * 1_024;
/** Reports become 5 to 30 times as large; a small one of equal rows may become larger. */
const INFLATED_MAX_FACTOR = 100;
const INFLATED_MIN_BYTES = 1_024 * 1_024;
const ENTRIES_MAX_COUNT = 200;
/** Only the list of entries is read at once. The library reads the rest in chunks of 256 KB. */
const DIRECTORY_MAX_BYTES = 1_024 * 1_024;
const NAME_MAX_LENGTH = 200;
const TEXT_NAME = /\.(?:csv|tsv|txt)$/i;
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
    const reader = new SourceReader(source);
    // DecompressionStream refuses files of several members.
    const bytes = reader.readable.pipeThrough(Duplex.toWeb(createGunzip()));
    yield { name: null, bytes: checked(refusing(reader, bytes), checkSize) };
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

async function* zipEntries(source: FileSource, checkSize: (size: number) => void): AsyncGenerator<Entry> {
  const reader = new SourceReader(source);
  const entries: FileEntry[] = [];
  for await (const entry of refusing(reader, filesOf(reader))) entries.push(entry);
  const isText = ({ filename }: FileEntry) => TEXT_NAME.test(filename);
  checkSize(entries.filter(isText).reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0));
  for (const entry of entries) {
    const name = entry.filename.replaceAll("\0", "").slice(0, NAME_MAX_LENGTH).toWellFormed();
    yield { name, bytes: isText(entry) ? refusing(reader, bytesOfEntry(entry)) : null };
  }
}

/** Reads a file for the library, and keeps its failure apart from those of the ZIP. */
class SourceReader extends Reader<FileSource> {
  readonly #source: FileSource;
  failure: unknown = null;

  constructor(source: FileSource) {
    super(source);
    this.size = source.size;
    this.#source = source;
  }

  override async readUint8Array(from: number, length: number): Promise<Uint8Array> {
    if (length > DIRECTORY_MAX_BYTES) throw new Error("The list of entries is too long");
    try {
      return await bytesOf(this.#source, from, Math.min(from + length, this.size));
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

/** @throws ReportRefusal for every error but one of the source */
async function* refusing<Item>(reader: SourceReader, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch {
    throw reader.failure ?? new ReportRefusal("unreadable-file");
  }
}

async function* filesOf(reader: SourceReader): AsyncGenerator<FileEntry> {
  const options = { useWebWorkers: false, checkSignature: true, checkOverlappingEntry: true };
  let count = 0;
  for await (const entry of new ZipReader(reader, options).getEntriesGenerator()) {
    if (++count > ENTRIES_MAX_COUNT) throw new Error("The ZIP has too many entries");
    if (!entry.directory && !SIDE_FILE.test(entry.filename)) yield entry;
  }
}

function bytesOfEntry(entry: FileEntry): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // An error before the first byte does not end the stream.
  entry.getData(writable).catch((error) => writable.abort(error).catch(() => {}));
  return readable;
}

async function bytesOf(source: FileSource, from: number, to: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.read(from, to)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
