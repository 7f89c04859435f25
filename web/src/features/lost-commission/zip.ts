/** Of the parts of a ZIP file (pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3). */
const LOCAL = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;
/** With the longest comment. */
const END_MAX_LENGTH = 66_000;
const IN_ZIP64 = 0xffff_ffff;
const DEFLATED = 8;

export interface ZipEntry {
  name: string;
  stream: () => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

const viewOf = async (blob: Blob) => new DataView(await blob.arrayBuffer());

export async function isZip(file: Blob): Promise<boolean> {
  const start = await viewOf(file.slice(0, 4));
  return start.byteLength === 4 && [LOCAL, END].includes(start.getUint32(0, true));
}

/** The files of an archive, of which only those are read that are asked for. Throws for a damaged one, and for one of more than 4 GB. */
export async function* entriesOf(zip: Blob): AsyncGenerator<ZipEntry> {
  const tail = await viewOf(zip.slice(-END_MAX_LENGTH));
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END) end--;
  if (end < 0) throw new Error("The archive is damaged, or only a part of one.");
  const offset = tail.getUint32(end + 16, true);
  if (offset === IN_ZIP64) throw new Error("The archive is too big. Unpack it, and choose its files.");
  const directory = await viewOf(zip.slice(offset, offset + tail.getUint32(end + 12, true)));
  for (let at = 0; at + 46 <= directory.byteLength && directory.getUint32(at, true) === ENTRY; ) {
    const [method, nameLength] = [directory.getUint16(at + 10, true), directory.getUint16(at + 28, true)];
    const [size, start] = [directory.getUint32(at + 20, true), directory.getUint32(at + 42, true)];
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, at + 46, nameLength));
    yield { name, stream: () => contentOf(zip, start, size, method) };
    at += 46 + nameLength + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
  }
}

async function contentOf(zip: Blob, start: number, size: number, method: number) {
  const header = await viewOf(zip.slice(start, start + 30));
  const from = start + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const content = zip.slice(from, from + size).stream();
  return method === DEFLATED ? content.pipeThrough(new DecompressionStream("deflate-raw")) : content;
}
