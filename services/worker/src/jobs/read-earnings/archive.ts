import { Duplex } from "node:stream";
import { createGunzip } from "node:zlib";
import { BlobReader, type FileEntry, ZipReader } from "@zip.js/zip.js/lib/zip-core-native.js";
import { ReportRefusal } from "./refusal.ts";

/** The bytes from the beginning, each time it is called. @throws ReportRefusal while they are read */
export type OpenText = () => AsyncIterable<Uint8Array>;

export interface Entry {
  /** The name of a file in a ZIP; null for the file itself. */
  name: string | null;
  /** Null if it is no text. */
  open: OpenText | null;
}

/** The size of all entries together. A million rows have about 200 MB. */
const TEXTS_MAX_BYTES = 512 * 1_024 * 1_024;
/** Reports become 5 to 30 times as large; a small one of equal rows may become larger. */
const INFLATED_MAX_FACTOR = 100;
const INFLATED_MIN_BYTES = 1_024 * 1_024;
const ENTRIES_MAX_COUNT = 200;
const NAME_MAX_LENGTH = 200;
const TEXT_NAME = /\.(?:csv|tsv|txt)$/i;
const SIDE_FILE = /^__MACOSX\/|(?:^|\/)\._/;

/**
 * The texts of a ZIP, of a compressed text or of a text. Names are never used as paths.
 * @throws ReportRefusal
 */
export async function entriesOf(file: Blob, maxBytes = TEXTS_MAX_BYTES): Promise<readonly Entry[]> {
  const inflatedMax = Math.max(INFLATED_MIN_BYTES, INFLATED_MAX_FACTOR * file.size);
  function checkSize(size: number): void {
    if (size > maxBytes) throw new ReportRefusal("too-many-rows");
    if (size > inflatedMax) throw new ReportRefusal("unreadable-file");
  }
  const start = Buffer.from(await file.slice(0, 4).arrayBuffer());
  if (start.toString("latin1", 0, 2) === "PK") return await zipEntries(file, checkSize);
  // XLS.
  if (start.toString("hex") === "d0cf11e0") throw new ReportRefusal("spreadsheet");
  // DecompressionStream refuses files of several members.
  const inflated = () => file.stream().pipeThrough(Duplex.toWeb(createGunzip()));
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  return [{ name: null, open: isGzip ? () => checked(inflated(), checkSize) : () => file.stream() }];
}

async function zipEntries(file: Blob, checkSize: (size: number) => void): Promise<readonly Entry[]> {
  const entries: FileEntry[] = [];
  const isText = ({ filename }: FileEntry) => TEXT_NAME.test(filename);
  try {
    const options = { useWebWorkers: false, checkSignature: true, checkOverlappingEntry: true };
    let count = 0;
    for await (const entry of new ZipReader(new BlobReader(file), options).getEntriesGenerator()) {
      if (++count > ENTRIES_MAX_COUNT) throw new Error("The ZIP has too many entries");
      if (!entry.directory && !SIDE_FILE.test(entry.filename)) entries.push(entry);
    }
  } catch {
    throw new ReportRefusal("unreadable-file");
  }
  checkSize(entries.filter(isText).reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0));
  return entries.map((entry) => ({
    name: entry.filename.replaceAll("\0", "").slice(0, NAME_MAX_LENGTH).toWellFormed(),
    // The library inflates no more than the size that it says.
    open: isText(entry) ? () => checked(bytesOfEntry(entry), () => {}) : null,
  }));
}

/** @param checkSize called with the number of bytes so far @throws ReportRefusal in place of every error */
async function* checked(
  bytes: AsyncIterable<Uint8Array>,
  checkSize: (size: number) => void,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.length;
      checkSize(size);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof ReportRefusal ? error : new ReportRefusal("unreadable-file");
  }
}

function bytesOfEntry(entry: FileEntry): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // An error before the first byte does not end the stream.
  entry.getData(writable).catch((error) => writable.abort(error).catch(() => {}));
  return readable;
}
