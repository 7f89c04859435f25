import { labelName } from "@tapthru/proto/fields";
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
import { FileRefusal } from "./file-refusal.ts";
import { findColumns, isOwnExport, type TableColumns } from "./import-columns.ts";
import { createExpiryReader } from "./read-expiry.ts";
import { readJson } from "./read-json.ts";
import { decodeFile, HEADER_ROWS, readTable, type TableRow } from "./read-table.ts";

/** An address in the text of a cell must be in this part of it. */
const URL_CELL_MAX_LENGTH = 2 * URL_MAX_BYTES;

/** The longest name in an error message. */
const COLUMN_NAME_MAX_LENGTH = 50;
const COLUMN_NAMES_MAX_COUNT = 20;
const UNCLEAR_MAX_LENGTH = 100;
/** Rows in which addresses are looked for. */
const SAMPLE_ROWS = 100;

/** How a file was read. */
interface LinesReading {
  /** False for a guess. */
  isEncodingCertain: boolean;
  /** Those above the names of the columns, without empty ones. */
  skippedLines: number;
  /** The names of columns of which nothing is imported. */
  ignoredColumns: readonly string[];
}

export interface FileLine extends Record<OwnerField, string | null> {
  line: number;
  url: string;
  /** As in the file; null if there is none; empty if a column of codes has none for the address on `domain`. */
  slug: string | null;
  /** The domain of the short address, in lower case; null if it is unknown. */
  domain: string | null;
  labels: string[];
  /** The cell of an expiry that is not clear. */
  unclearExpiry: string | null;
}

export interface FileLines {
  lines: FileLine[];
  reading: LinesReading;
}

/**
 * Reads the lines of a file: a table or JSON whose columns have known names, or one address in each line.
 * @param timeZone of expiries without one
 * @throws FileRefusal if the file cannot be read, is empty, or has no column of addresses
 */
export function readLines(bytes: Uint8Array, timeZone: string): FileLines {
  const file = decodeFile(bytes);
  const isHeader = (cells: readonly string[]) => isOwnExport(cells) || findColumns(cells) !== null;
  const rows = readJson(file.text, isHeader) ?? readTable(file.text, isHeader);
  const headerAt = findHeader(rows, isHeader);
  const found =
    headerAt === -1
      ? { rows: rows.map(readAddressRow), ignoredColumns: [] }
      : readTableRows(cellsOf(rows[headerAt]), rows.slice(headerAt + 1));
  if (found.rows.length === 0) throw new FileRefusal("empty");
  if (found.rows.length > IMPORT_LINES_MAX_COUNT) throw new FileRefusal("too-many-lines");
  const readExpiry = createExpiryReader(new Set(found.rows.map(({ expiry }) => expiry)), timeZone);
  return {
    lines: found.rows.map(({ expiry, ...line }) => {
      const expiresAt = readExpiry(expiry);
      const unclearExpiry = expiresAt === undefined ? (cleanCell(expiry, UNCLEAR_MAX_LENGTH) ?? "") : null;
      return { ...line, expiresAt: expiresAt ?? null, unclearExpiry };
    }),
    reading: {
      isEncodingCertain: file.isCertain,
      skippedLines: Math.max(0, headerAt),
      ignoredColumns: found.ignoredColumns,
    },
  };
}

/** Expiries are read when all of them are known. */
type UnreadLine = Omit<FileLine, "unclearExpiry"> & { expiry: string };

const cellsOf = (row: TableRow | undefined) => row?.cells.map((cell) => cell.trim()) ?? [];

/** The row that names the columns: the first that is known, if no link is above it, else the first of several cells; -1: none. */
function findHeader(rows: readonly TableRow[], isHeader: (cells: readonly string[]) => boolean): number {
  const first = rows.slice(0, HEADER_ROWS).findIndex((row) => row.cells.some(hasAmazonUrl));
  const above = rows.slice(0, first === -1 ? HEADER_ROWS : first);
  const known = above.findIndex((row) => isHeader(cellsOf(row)));
  if (known !== -1) return known;
  if (rows[0] === undefined || isAddressRow(rows[0])) return -1;
  return Math.max(
    0,
    above.findIndex(({ cells }) => cells.filter((cell) => cell.trim() !== "").length > 1),
  );
}

function readTableRows(header: readonly string[], rows: readonly TableRow[]) {
  if (isOwnExport(header)) return { rows: rows.map((row) => readOwnRow(row, header)), ignoredColumns: [] };
  // A table of which no name is known has addresses in some column.
  const hasAddresses = (_: string, at: number) =>
    rows.slice(0, SAMPLE_ROWS).some(({ cells }) => hasAmazonUrl(cells[at] ?? ""));
  const columns = findColumns(header) ?? findColumns(header, header.findIndex(hasAddresses));
  if (columns === null) throw new FileRefusal("format-unknown");
  const used = new Set(Object.values(columns).flat());
  const ignored = header.filter((name, at) => name !== "" && !used.has(at));
  return {
    rows: rows.map((row) => readTableRow(row, columns)),
    ignoredColumns: ignored
      .map((name) => name.slice(0, COLUMN_NAME_MAX_LENGTH).toWellFormed())
      .slice(0, COLUMN_NAMES_MAX_COUNT),
  };
}

function readOwnRow({ line, cells }: TableRow, header: readonly string[]): UnreadLine {
  const link = readLinkCells((column) => cells[header.indexOf(column)] ?? "");
  return {
    line,
    url: link.url.slice(0, URL_CELL_MAX_LENGTH).toWellFormed(),
    slug: shortened(link.shortCode.trim()) || null,
    domain: domainIn(cells[header.indexOf("domain")] ?? ""),
    labels: cleanLabels(link.labels),
    expiry: link.expiresAt ?? "",
    ...eachOwnerField((field) => cleanField(field, link[field] ?? "")),
  };
}

/** Titles of other services are names for the owner: visitors see the title of Amazon's page. */
function readTableRow({ line, cells }: TableRow, columns: TableColumns): UnreadLine {
  const cell = (index: number) => cells[index]?.trim() ?? "";
  const addresses = columns.codes.map((at) => firstOf(cell(at)));
  const hasCodes = addresses.length > 0;
  const domain = hasCodes ? domainIn(addresses.find(isAddress) ?? cell(columns.domain)) : null;
  return {
    line,
    url: cell(columns.url).slice(0, URL_CELL_MAX_LENGTH).toWellFormed(),
    slug: addresses.map((address) => codeIn(address, domain)).find(Boolean) ?? (domain && ""),
    domain,
    labels: cleanLabels(columns.labels.flatMap((at) => cell(at).split(/[,;|]/))),
    ...NO_FIELDS,
    nickname: cleanField("nickname", cell(columns.nickname)),
    expiry: cell(columns.expiresAt),
  };
}

function readAddressRow({ line, cells }: TableRow): UnreadLine {
  const [first = "", ...rest] = cells;
  // A comma may be a part of an address; what follows it then has parameters or a path.
  const url = rest.some((cell) => /[=&/?]/.test(cell)) ? cells.join(",") : first;
  return readTableRow({ line, cells: [url] }, ADDRESSES);
}

const ADDRESSES = findColumns(["url"]) as TableColumns;
const NO_FIELDS = eachOwnerField(() => null);

/** Returns true if the first line has an address, so that the file has no header. */
function isAddressRow({ cells }: TableRow): boolean {
  const starts = cells.map((cell) => cell.slice(0, URL_CELL_MAX_LENGTH));
  return starts.some((cell) => /https?:\/\//i.test(cell) || hasAmazonUrl(cell));
}

const hasAmazonUrl = (cell: string) => findAmazonUrl(cell.slice(0, URL_CELL_MAX_LENGTH)) !== null;

/** Rather than a code, which may have slashes. */
const isAddress = (text: string) => /^(?:https?:\/\/)?[^/.]*\.[^/]*\//i.test(text.slice(0, URL_CELL_MAX_LENGTH));

/** Returns the first of several that commas or bars separate. */
function firstOf(cell: string): string {
  const [first = ""] = cell.replaceAll(/[[\]"']/g, "").split(/[,|]/);
  return first.trim();
}

/** The code of a short address, or the code itself. Plugins of WordPress have a prefix before it, as `go/mug`, and no domain. */
function codeIn(text: string, domain: string | null): string {
  const path = text.replace(/[?#].*$/s, "");
  const parts = path.split("/").filter(Boolean);
  return shortened((domain === null || isAddress(path) ? parts.at(-1) : parts.join("/")) ?? "");
}

/** The host of a short address, or a host; null if no own domain can be it. */
function domainIn(cell: string): string | null {
  const host = firstOf(cell.slice(0, URL_CELL_MAX_LENGTH))
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/[/?#].*$/s, "");
  const ascii = hostOf(host);
  return DOMAIN_PATTERN.test(ascii) ? ascii : null;
}

/** A host in ASCII; empty if it is none. */
function hostOf(text: string): string {
  try {
    return /[@:\\]/.test(text) ? "" : new URL(`http://${text}`).hostname;
  } catch {
    return "";
  }
}

/** A longer code is refused anyway. */
function shortened(code: string): string {
  return code.slice(0, 2 * SLUG_MAX_LENGTH).toWellFormed();
}

/** The part of a cell's text that a link can have; null if there is none. */
function cleanField(field: OwnerField, text: string): string | null {
  const definition = OWNER_FIELDS[field];
  if ("maxLength" in definition) return cleanCell(text, definition.maxLength);
  return definition.input.safeParse(text).data ?? null;
}

/** One line of visible text, cut to its length; null if nothing is left. */
function cleanCell(text: string, maxLength: number): string | null {
  const line = cleanLine(text.slice(0, 4 * maxLength))
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  // Cutting may have divided a character.
  const visible = line
    .slice(0, maxLength)
    .replace(/\p{Cs}$/u, "")
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
