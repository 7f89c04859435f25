import { BlobReader, BlobWriter, ZipReader } from "@zip.js/zip.js/lib/zip-core-native.js";
import PostalMime from "postal-mime";
import { type FoundLink, judgeAddress } from "./judge-address.ts";
import { formatOf, MAIL_START, readText } from "./read-text.ts";

export interface Reading {
  links: FoundLink[];
  /** Names of files that could not be read. */
  failures: string[];
}

const FILE_MAX_BYTES = 200 * 2 ** 20;
/** What an archive has beside them, such as videos, is left out. */
const READ_IN_ARCHIVE = /\.(?:x?html?|xml|rss|atom|rels|csv|tsv|json|txt|md|eml|mbox|mhtml?|zip|docx|xlsx|epub)$/i;

/** The first has no files. */
const ZIP_STARTS = ["PK\x05\x06", "PK\x03\x04"];

/** Reads files without a request. Links are in the order in which they were found. */
export async function readFiles(files: readonly File[]): Promise<Reading> {
  const links = new Map<string, FoundLink | null>();
  const failures: string[] = [];

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
    if (file.size > FILE_MAX_BYTES) throw new Error("The file is too large.");
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = new TextDecoder(bytes.subarray(0, 2).join() === "255,254" ? "utf-16le" : "utf-8").decode(bytes);
    const format = formatOf(name, text);
    if (format !== "mail") return readText(text, format, (...found) => add(name, ...found));
    for (const mail of text.split(MAIL_START)) {
      const { subject: title = "", html, text: plain = "" } = await PostalMime.parse(mail);
      readText(html ?? plain, html ? "markup" : "text", (address) => add(name, address, null, title));
    }
  }

  function add(file: string, address: string, line: number | null, title: string) {
    if (!links.has(address)) {
      const judgement = judgeAddress(address);
      links.set(address, judgement && { address, ...judgement, places: [] });
    }
    links.get(address)?.places.push({ file, line, title });
  }

  for (const file of files) await read(file.name, () => file);
  return { links: [...links.values()].filter((link) => link !== null), failures };
}
