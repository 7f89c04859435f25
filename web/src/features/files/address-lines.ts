import { type AmazonUrl, isStorePage, parseNewDestination } from "@tapthru/proto/rules/amazon/amazon-url";
import { findAmazonUrl } from "@tapthru/proto/rules/amazon/find-amazon-url";
import { repairFoundUrl } from "@tapthru/proto/rules/amazon/repair-url";
import { IMPORT_FILE_MAX_BYTES } from "@tapthru/proto/rules/limits";
import type { LinkRefusal } from "@tapthru/proto/rules/link-errors";
import { hash } from "../../lib/hash.ts";
import { FileRefusal } from "./file-refusal.ts";
import { type FileLine, type FileLines, readLines } from "./read-lines.ts";

/** Where an address leads; `short`: only Amazon knows it. */
export type Address =
  | { kind: "page"; webUrl: string }
  | { kind: "short"; webUrl: string }
  | { kind: "refused"; code: LinkRefusal["code"] };

export interface FoundAddress {
  url: string;
  address: Address;
}

export interface AddressedLine extends FileLine, FoundAddress {
  /** The address that was probably meant; null if it needs no repair. */
  repaired: FoundAddress | null;
}

export interface LinkFile extends FileLines {
  lines: AddressedLine[];
  hash: string;
}

/** Reads like `readLines`, and adds the address of each line and, if it needs a repair, the repaired one. */
export async function readLinkFile(file: Blob, timeZone: string): Promise<LinkFile> {
  if (file.size > IMPORT_FILE_MAX_BYTES) throw new FileRefusal("too-large");
  const bytes = new Uint8Array(await file.arrayBuffer());
  const read = readLines(bytes, timeZone);
  const lines = read.lines.map((line) => ({ ...line, ...addressIn(line.url), repaired: repairOf(line.url) }));
  return { ...read, hash: hash(bytes), lines };
}

/** The address in a cell: the whole of it, or the Amazon link in its text. */
export function addressIn(text: string): FoundAddress {
  const url = text.trim();
  const address = parseNewDestination(url);
  const found = address.kind === "refused" ? findAmazonUrl(url) : null;
  return found === null
    ? { url, address: briefly(address) }
    : { url: found, address: briefly(parseNewDestination(found)) };
}

export function repairOf(text: string): FoundAddress | null {
  const repair = repairFoundUrl(text);
  return repair && addressIn(repair.url);
}

function briefly(address: AmazonUrl): Address {
  if (isStorePage(address)) return { kind: "page", webUrl: address.webUrl };
  return address.kind === "short" ? { kind: "short", webUrl: address.url } : { kind: "refused", code: address.code };
}
