import { domainToASCII } from "node:url";
import { EXPIRY_END, labelName } from "@tapthru/proto/fields";
import {
  type ImportFormat,
  importDoubleColumns,
  importEmpty,
  importFormatUnknown,
  importTooManyLines,
} from "@tapthru/proto/imports";
import { readLinkCells } from "@tapthru/proto/links-csv";
import { eachOwnerField, OWNER_FIELDS, type OwnerField } from "@tapthru/proto/owner-fields";
import { findAmazonUrl } from "@tapthru/proto/rules/amazon/find-amazon-url";
import { labelKey } from "@tapthru/proto/rules/labels";
import {
  IMPORT_LINES_MAX_COUNT,
  LABEL_NAME_MAX_LENGTH,
  LABELS_PER_LINK_MAX_COUNT,
  SLUG_MAX_LENGTH,
  URL_MAX_BYTES,
} from "@tapthru/proto/rules/limits";
import { cleanLine, cleanName } from "@tapthru/proto/rules/names";
import { DOMAIN_PATTERN } from "@tapthru/proto/rules/short-code";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import { doubleColumns, findTableFormat, isOwnExport, type TableFormat } from "./import-formats.ts";
import { decodeFile, readTable, type TableRow } from "./read-table.ts";

/** An address in the text of a cell must be in this part of it. */
const URL_CELL_MAX_LENGTH = 2 * URL_MAX_BYTES;

/** Of names in an error message. */
const COLUMN_NAME_MAX_LENGTH = 50;
const COLUMN_NAMES_MAX_COUNT = 10;

export interface FileLine extends Record<OwnerField, string | null> {
  line: number;
  url: string;
  /** As in the file; null if there is none. */
  slug: string | null;
  /** Of the short address, in lower case; null if it is unknown. */
  domain: string | null;
  labels: string[];
}

export interface FileLines {
  format: ImportFormat;
  lines: FileLine[];
}

/**
 * Reads the lines of a file, and recognises its format by the first one.
 * @throws ApiError if the file cannot be read, is empty, or has no column of addresses
 */
export async function readLines(bytes: Uint8Array): Promise<FileLines> {
  const rows = await readTable(decodeFile(bytes));
  const [first, ...rest] = rows;
  if (first === undefined) throw new ApiError(importEmpty);
  const header = first.cells.map((cell) => cell.trim());
  const found = isAddressRow(first)
    ? { format: "addresses" as const, lines: rows.map(readAddressRow) }
    : readTableLines(header, rest);
  if (found.lines.length === 0) throw new ApiError(importEmpty);
  if (found.lines.length > IMPORT_LINES_MAX_COUNT) throw new ApiError(importTooManyLines);
  return found;
}

function readTableLines(header: readonly string[], rows: readonly TableRow[]): FileLines {
  const double = doubleColumns(header).map((name) => name.slice(0, COLUMN_NAME_MAX_LENGTH));
  if (double.length > 0) {
    const names = double.slice(0, COLUMN_NAMES_MAX_COUNT).join(", ");
    const message = `The first line of this file names columns twice: ${names}. Please rename or remove one of each.`;
    throw new ApiError(importDoubleColumns, { message });
  }
  if (isOwnExport(header)) {
    return { format: "own", lines: rows.map((row) => readOwnRow(row, header)) };
  }
  const table = findTableFormat(header);
  if (table === null) throw new ApiError(importFormatUnknown);
  return {
    format: table.format === "table" ? formatOfShortUrls(rows) : table.format,
    lines: rows.map((row) => readTableRow(row, table)),
  };
}

function readOwnRow({ line, cells }: TableRow, header: readonly string[]): FileLine {
  const link = readLinkCells((column) => cells[header.indexOf(column)] ?? "");
  return {
    line,
    url: link.url.slice(0, URL_CELL_MAX_LENGTH).toWellFormed(),
    slug: shortened(link.shortCode.trim()) || null,
    domain: domainIn(cells[header.indexOf("domain")] ?? ""),
    labels: cleanLabels(link.labels),
    ...eachOwnerField((field) => cleanField(field, link[field] ?? "")),
  };
}

/** Titles of other services are names for the owner: visitors see the title of Amazon's page. */
function readTableRow({ line, cells }: TableRow, { columns, labelSeparator }: TableFormat): FileLine {
  const cell = (index: number) => cells[index]?.trim() ?? "";
  const addresses = [cell(columns.slug), cell(columns.shortUrl)];
  return {
    line,
    url: cell(columns.url).slice(0, URL_CELL_MAX_LENGTH).toWellFormed(),
    slug: codeIn(cell(columns.slug)) ?? codeIn(cell(columns.shortUrl)),
    domain: domainIn(addresses.find((text) => text.includes("/")) ?? cell(columns.domain)),
    labels: cleanLabels(cell(columns.labels).split(labelSeparator)),
    ...NO_FIELDS,
    nickname: cleanField("nickname", cell(columns.nickname)),
    expiresAt: cleanField("expiresAt", cell(columns.expiresAt)),
  };
}

function readAddressRow({ line, cells }: TableRow): FileLine {
  const [first = "", ...rest] = cells;
  // A comma may be a part of an address; what follows it then has parameters or a path.
  const url = rest.some((cell) => /[=&/?]/.test(cell)) ? cells.join(",") : first;
  return {
    line,
    url: url.trim().slice(0, URL_CELL_MAX_LENGTH).toWellFormed(),
    slug: null,
    domain: null,
    labels: [],
    ...NO_FIELDS,
  };
}

const NO_FIELDS = eachOwnerField(() => null);

/** Whether the first line has an address, so that the file has no header. */
function isAddressRow({ cells }: TableRow): boolean {
  const starts = cells.map((cell) => cell.slice(0, URL_CELL_MAX_LENGTH));
  return starts.some((cell) => /https?:\/\//i.test(cell) || findAmazonUrl(cell) !== null);
}

const SERVICES_BY_HOST = [
  [/^(?:https?:\/\/)?geni\.us\//i, "geniuslink"],
  [/^(?:https?:\/\/)?(?:bit\.ly|bitly\.com|j\.mp)\//i, "bitly"],
] as const;

function formatOfShortUrls([first]: readonly TableRow[]): ImportFormat {
  const service = SERVICES_BY_HOST.find(([host]) => first?.cells.some((cell) => host.test(cell.trim())));
  return service?.[1] ?? "table";
}

/** The code of a short address, or the code itself. Of several, separated by commas or bars, the first. */
function codeIn(cell: string): string | null {
  const [address = ""] = cell.replaceAll(/[[\]"']/g, "").split(/[,|]/);
  const path = address.trim().replace(/[?#].*$/s, "");
  const code = path.split("/").filter(Boolean).at(-1) ?? "";
  return shortened(code) || null;
}

/** The host of a short address, or a host; null if no own domain can be it. */
function domainIn(cell: string): string | null {
  const [address = ""] = cell
    .slice(0, URL_CELL_MAX_LENGTH)
    .replaceAll(/[[\]"']/g, "")
    .split(/[,|]/);
  const host = address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/[/?#].*$/s, "");
  const ascii = domainToASCII(host);
  return DOMAIN_PATTERN.test(ascii) ? ascii : null;
}

/** A longer code is refused anyway. */
function shortened(code: string): string {
  return code.slice(0, 2 * SLUG_MAX_LENGTH).toWellFormed();
}

/** What a link can have of a cell's text; null if that is nothing. */
function cleanField(field: OwnerField, text: string): string | null {
  const definition = OWNER_FIELDS[field];
  if ("maxLength" in definition) return cleanCell(text, definition.maxLength);
  if (field === "expiresAt") return readDate(text);
  return definition.input.safeParse(text).data ?? null;
}

/** One line of visible text, cut to its length; null if nothing is left. */
function cleanCell(text: string, maxLength: number): string | null {
  const line = cleanLine(text.slice(0, 4 * maxLength))
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  const cut = Array.from(line.slice(0, maxLength));
  // Cutting may have divided a character.
  const visible = cut
    .filter((character) => character.isWellFormed())
    .join("")
    .trim();
  return /[^\s\p{Default_Ignorable_Code_Point}]/u.test(visible) ? visible : null;
}

/** Each once, without case. Some of the names may be empty, repeated or too long. */
function cleanLabels(names: readonly string[]): string[] {
  const labels = new Map<string, string>();
  for (const name of names.slice(0, 4 * LABELS_PER_LINK_MAX_COUNT)) {
    const start = name.trim().slice(0, 4 * LABEL_NAME_MAX_LENGTH);
    const cut = cleanCell(cleanName(start), LABEL_NAME_MAX_LENGTH) ?? "";
    const { data: label } = z.safeParse(labelName, cut);
    if (label !== undefined && !labels.has(labelKey(label))) labels.set(labelKey(label), label);
  }
  return [...labels.values()].slice(0, LABELS_PER_LINK_MAX_COUNT);
}

/** Links can expire between these, as the constraint of their column says. */
const EXPIRY_START = Date.parse("1970-01-01T00:00:00Z");

/** Null if there is no date, or none that a link can have. */
function readDate(text: string): string | null {
  const time = Date.parse(text);
  return time >= EXPIRY_START && time < EXPIRY_END ? new Date(time).toISOString() : null;
}
