import { BlobReader, BlobWriter, ZipReader } from "@zip.js/zip.js/lib/zip-core-native.js";
import { type Judgement, judgeAddress } from "./judge-address.ts";
import { readText } from "./read-text.ts";

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
  /** Names of files that could not be read. */
  failures: string[];
  /** Whether there were more places than are kept. */
  isCut: boolean;
}

const PLACES_MAX_COUNT = 200_000;
/** What an archive has beside them, such as videos, is left out. */
const READ_IN_ARCHIVE = /\.(?:x?html?|xml|rss|atom|rels|csv|tsv|json|txt|md|eml|mbox|mhtml?|zip|docx|xlsx|epub)$/i;

/** The first has no files. */
const ZIP_STARTS = ["PK\x05\x06", "PK\x03\x04"];

/** Reads files without a request. Links are in the order in which they were found. */
export async function readFiles(files: readonly File[]): Promise<Reading> {
  const links = new Map<string, FoundLink | null>();
  const failures: string[] = [];
  let places = 0;

  async function read(name: string, open: () => Blob | Promise<Blob>) {
    try {
      const file = await open();
      const isArchive = ZIP_STARTS.includes(await file.slice(0, 4).text());
      await (isArchive ? readArchive(name, file) : readPlain(name, file));
    } catch {
      failures.push(name);
    }
  }

  async function readArchive(name: string, file: Blob) {
    const archive = new ZipReader(new BlobReader(file), { useWebWorkers: false });
    for await (const entry of archive.getEntriesGenerator()) {
      if (!entry.directory && READ_IN_ARCHIVE.test(entry.filename))
        await read(`${name} › ${entry.filename}`, () => entry.getData(new BlobWriter()));
    }
  }

  async function readPlain(name: string, file: Blob) {
    const isUtf16 = new Uint8Array(await file.slice(0, 2).arrayBuffer()).join() === "255,254";
    const decoder = new TextDecoder(isUtf16 ? "utf-16le" : "utf-8");
    const text = readText(name, ({ address, line, title }) => {
      if (!links.has(address)) links.set(address, judge(address));
      const link = links.get(address);
      if (link && places++ < PLACES_MAX_COUNT) link.places.push({ file: name, line, title });
    });
    const reader = file.stream().getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text.push(decoder.decode(part.value, { stream: true }));
    text.end();
  }

  for (const file of files) await read(file.name, () => file);
  const found = [...links.values()].filter((link) => link !== null);
  return { links: found.filter((link) => link.places.length > 0), failures, isCut: places > PLACES_MAX_COUNT };
}

function judge(address: string): FoundLink | null {
  const judgement = judgeAddress(address);
  return judgement && { address, ...judgement, places: [] };
}
