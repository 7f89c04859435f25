import { type Judgement, judgeAddress } from "./judge-address.ts";
import { readText } from "./read-text.ts";
import { entriesOf, isZip } from "./zip.ts";

export interface Place {
  /** A file of an archive has the archive's name before its own. */
  file: string;
  line: number | null;
  title: string;
}

export interface FoundLink extends Judgement {
  address: string;
  /** At least one. */
  places: Place[];
}

export interface Reading {
  links: FoundLink[];
  /** Names of files that could not be read, and why. */
  failures: { file: string; text: string }[];
  /** Whether there were more places than are kept. */
  isCut: boolean;
}

const PLACES_MAX_COUNT = 200_000;
/** What an archive has beside them, such as videos, is left out. Word, Excel and e-books are archives of such files. */
const READ_IN_ARCHIVE = /\.(?:x?html?|xml|rss|atom|rels|csv|tsv|json|txt|md|eml|mbox|mht|mhtml)$/i;

/** Reads files without a request. Links are in the order in which they were found. @param onProgress bytes that were read */
export async function readFiles(files: readonly File[], onProgress: (bytes: number) => void): Promise<Reading> {
  const links = new Map<string, FoundLink | null>();
  const reading: Reading = { links: [], failures: [], isCut: false };
  let places = 0;
  let bytes = 0;

  async function read(file: string, stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    let decoder: TextDecoder | undefined;
    const text = readText(file, ({ address, line, title }) => {
      const link = links.get(address) ?? judge(address);
      if (link === null) return;
      if (places === PLACES_MAX_COUNT) reading.isCut = true;
      else link.places.push({ file, line, title });
      places = Math.min(places + 1, PLACES_MAX_COUNT);
    });
    const reader = stream.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const [first, second] = part.value;
      decoder ??= new TextDecoder(first === 0xff && second === 0xfe ? "utf-16le" : "utf-8");
      text.push(decoder.decode(part.value, { stream: true }));
      bytes += part.value.length;
      onProgress(bytes);
    }
    text.end();
  }

  function judge(address: string): FoundLink | null {
    if (links.has(address)) return null;
    const judgement = judgeAddress(address);
    const link = judgement && { address, ...judgement, places: [] };
    links.set(address, link);
    return link;
  }

  for (const file of files) {
    try {
      if (!(await isZip(file))) await read(file.name, file.stream());
      else
        for await (const { name, stream } of entriesOf(file)) {
          if (READ_IN_ARCHIVE.test(name)) await read(`${file.name} › ${name}`, await stream());
        }
    } catch (error) {
      reading.failures.push({ file: file.name, text: String(error instanceof Error ? error.message : error) });
    }
  }
  reading.links = [...links.values()].filter((link) => link !== null && link.places.length > 0) as FoundLink[];
  return reading;
}
