import { findStore, isOtherAmazonHost } from "@tapthru/proto/rules/amazon/hosts";
import { BlobReader, BlobWriter, type FileEntry, ZipReader } from "@zip.js/zip.js/lib/zip-core-native.js";
import PostalMime, { addressParser } from "postal-mime";
import { classifyLink, type FoundLink } from "./classify-link.ts";
import { formatOf, MAIL_START, readText } from "./read-text.ts";

export interface Reading {
  links: FoundLink[];
  failures: string[];
}

const FILE_MAX_BYTES = 200 * 2 ** 20;
/** The limit of all that is unpacked. */
const UNPACKED_MAX_BYTES = 2 ** 30;
/** An archive of documents, in the archive of an export, in another. */
const ARCHIVES_MAX_DEPTH = 3;
const FROM_MAX_LENGTH = 2_000;
/** Other files of an archive, such as videos, are left out. */
const READ_IN_ARCHIVE = /\.(?:x?html?|xml|rss|atom|rels|csv|tsv|json|txt|mdx?|eml|mbox|mhtml?|zip|docx|xlsx|epub)$/i;

/** The first has no files. */
const ZIP_STARTS = ["PK\x05\x06", "PK\x03\x04"];

/**
 * Reads files without a request. Links are in the order in which they were found.
 * @param onProgress called with the percentage that has been read, when it changes
 */
export async function readFiles(files: readonly File[], onProgress?: (percent: number) => void): Promise<Reading> {
  const links = new Map<string, FoundLink | null>();
  const failures = new Set<string>();
  let unpackedBytes = 0;
  /** The share of all files, from 0 to 1. */
  let done = 0;
  let percent = 0;

  function report(share: number) {
    done = share;
    if (Math.floor(100 * done) === percent) return;
    percent = Math.floor(100 * done);
    onProgress?.(percent);
  }

  /** @param share of all files @param depth in how many archives it is */
  async function read(name: string, open: () => Promise<Blob> | Blob, share: number, depth: number) {
    const end = done + share;
    try {
      const file = await open();
      const isArchive = ZIP_STARTS.includes(await file.slice(0, 4).text());
      await (isArchive ? readArchive(name, file, share, depth) : readPlain(name, file, share));
    } catch {
      failures.add(name);
    }
    report(end);
  }

  async function readArchive(name: string, file: Blob, share: number, depth: number) {
    if (depth === ARCHIVES_MAX_DEPTH) throw new Error("The archive is nested too deeply.");
    const archive = new ZipReader(new BlobReader(file), { useWebWorkers: false });
    const entries: FileEntry[] = [];
    for await (const entry of archive.getEntriesGenerator()) {
      if (!entry.directory && READ_IN_ARCHIVE.test(entry.filename)) entries.push(entry);
    }
    const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    for (const entry of entries) {
      // The reader fails if there is more than the archive says.
      const { filename, uncompressedSize: size } = entry;
      const unpack = () => {
        if (size > FILE_MAX_BYTES || unpackedBytes + size > UNPACKED_MAX_BYTES) throw new Error("It is too large.");
        unpackedBytes += size;
        return entry.getData(new BlobWriter());
      };
      await read(`${name} › ${filename}`, unpack, (share * size) / Math.max(1, bytes), depth + 1);
    }
  }

  async function readPlain(name: string, file: Blob, share: number) {
    if (file.size > FILE_MAX_BYTES) throw new Error("The file is too large.");
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = new TextDecoder(bytes.subarray(0, 2).join() === "255,254" ? "utf-16le" : "utf-8").decode(bytes);
    const format = formatOf(name, text);
    if (format !== "mail") return readText(text, format, (...found) => add(name, ...found));
    for (const mail of text.split(MAIL_START)) {
      await readMail(name, mail).catch(() => failures.add(name));
      report(done + (share * mail.length) / text.length);
    }
  }

  async function readMail(name: string, mail: string) {
    if (isFromAmazon(mail)) return;
    const { subject: title = "", html, text: plain = "" } = await PostalMime.parse(mail);
    readText(html ?? plain, html ? "markup" : "text", (address) => add(name, address, null, title));
  }

  function add(file: string, address: string, line: number | null, title: string) {
    if (!links.has(address)) {
      const classification = classifyLink(address);
      links.set(address, classification && { address, ...classification, places: [] });
    }
    links.get(address)?.places.push({ file, line, title });
  }

  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  for (const file of files) await read(file.name, () => file, file.size / Math.max(1, bytes), 0);
  return { links: [...links.values()].filter((link) => link !== null), failures: [...failures] };
}

/** Says whether Amazon sent a mail, by its header. */
function isFromAmazon(mail: string): boolean {
  const [header = ""] = mail.split(/\r?\n\r?\n/, 1);
  const [, from = ""] = /^From:(.*(?:\r?\n[ \t].*)*)/im.exec(header) ?? [];
  return addressParser(from.slice(0, FROM_MAX_LENGTH), { flatten: true }).some(({ address }) => {
    const host = address?.toLowerCase().replace(/^.*@/, "") ?? "";
    return findStore(host) !== null || isOtherAmazonHost(host);
  });
}
