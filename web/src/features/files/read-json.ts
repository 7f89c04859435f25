import { joinLabels } from "@tapthru/proto/links-csv";
import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import { IMPORT_LINES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { FileRefusal } from "./file-refusal.ts";
import { isOwnExport } from "./import-columns.ts";
import { COLUMNS_MAX_COUNT, shortened, type TableRow } from "./read-table.ts";

/** Markdown begins with `[lamp](…`. */
const JSON_START = /^\s*(?:\{\s*["}]|\[\s*(?:[[{"\]]|(?:-?\d+|true|false|null)\s*,))/;
const MAX_DEPTH = 4;

type Item = Record<string, unknown>;
const isObject = (value: unknown): value is Item => typeof value === "object" && value !== null;
const isAddress = (value: unknown) => typeof value === "string" && /^\s*https?:\/\//i.test(value);
const keysOf = (items: readonly object[]) => [...new Set(items.flatMap(Object.keys))];
/** An object is no text, and no date that is known. */
const textOf = (value: unknown) => (isObject(value) ? "{}" : shortened(String(value ?? "")).replaceAll("\0", " "));

/**
 * Reads the links in JSON, a list of objects or of addresses at any of four levels, as the rows of a table, after one with the
 * names of its columns. A row's line is the number of its link.
 * @returns null if the text is not JSON @throws FileRefusal if there are no links in it, or too many
 */
export function readJson(text: string, isHeader: (cells: string[]) => boolean): TableRow[] | null {
  const value = /^\s*[[{]/.test(text) ? parse(text) : null;
  if (value === null && !JSON_START.test(text)) return null;
  const items = findItems(value, isHeader, MAX_DEPTH);
  if (items === null) throw new FileRefusal("json");
  const names = keysOf(items);
  if (items.length > IMPORT_LINES_MAX_COUNT) throw new FileRefusal("too-many-lines");
  if (names.length > COLUMNS_MAX_COUNT) throw new FileRefusal("too-many-columns");
  const columns = names.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const isOwn = isOwnExport(columns);
  const rows = items.map((item) => names.map((name) => cellOf(item[name], isOwn)));
  return [isOwn ? columns : names, ...rows].map((cells, line) => ({ line, cells }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** YOURLS has an object of links, Shlink more about each under `meta`. */
function findItems(value: unknown, isHeader: (cells: string[]) => boolean, depth: number): Item[] | null {
  if (!isObject(value) || depth === 0) return null;
  const members = Object.values(value);
  if (Array.isArray(value) && members.some(isAddress)) return members.map((url) => (isObject(url) ? url : { url }));
  const items = members.filter(isObject).map((item) => (isObject(item.meta) ? { ...item.meta, ...item } : item));
  if (isHeader(keysOf(items))) return items;
  const below = members.reduce<Item[] | null>((found, each) => found ?? findItems(each, isHeader, depth - 1), null);
  return below ?? (depth === MAX_DEPTH && isHeader(Object.keys(value)) ? [value] : null);
}

function cellOf(value: unknown, isOwn: boolean): string {
  if (!Array.isArray(value)) return isOwn ? escapeFormula(textOf(value)) : textOf(value);
  const names = value.map((each: unknown) => (isObject(each) ? each.name : each)).filter((name) => !isObject(name));
  return isOwn
    ? joinLabels(names.map(textOf))
    : names.map((name) => textOf(name).replaceAll(/[,;|] ?/g, " ")).join("|");
}
