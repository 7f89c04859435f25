import { eachOwnerField, OWNER_FIELD_NAMES, OWNER_FIELDS, type OwnerField } from "./owner-fields.ts";
import { escapeFormula, unescapeFormula } from "./rules/csv-cell.ts";

/** The columns of which a file must have all to be read as one of our exports. */
export const LINKS_CSV_REQUIRED_COLUMNS = ["url", "short_code", "title", "nickname", "labels", "expires_at"] as const;

type OwnerColumn = (typeof OWNER_FIELDS)[OwnerField]["column"];

const isAdded = (column: string) => !LINKS_CSV_REQUIRED_COLUMNS.some((name) => name === column);

/** Columns that an import reads too; earlier exports do not have them. */
const ADDED_COLUMNS = OWNER_FIELD_NAMES.map((field): OwnerColumn => OWNER_FIELDS[field].column).filter(isAdded);

/**
 * The columns of exported links. Columns may be added at the end; none is renamed or given another meaning, because people
 * keep exported files.
 */
export const LINKS_CSV_COLUMNS = [
  ...LINKS_CSV_REQUIRED_COLUMNS,
  "short_url",
  "name",
  "state",
  "created_at",
  // Separated by blanks, the latest first.
  "earlier_urls",
  "earlier_short_codes",
  "person",
  "preview",
  "bot",
  "prefetch",
  "opened",
  "domain",
  "fallback_url",
  "channel",
  "assistant",
  ...ADDED_COLUMNS.filter((column) => column !== "fallback_url"),
  "tried",
] as const;
export type LinksCsvColumn = (typeof LINKS_CSV_COLUMNS)[number];

export interface CsvLink extends Record<OwnerField, string | null> {
  url: string;
  shortCode: string;
  labels: readonly string[];
}

type ImportColumn = (typeof LINKS_CSV_REQUIRED_COLUMNS)[number] | OwnerColumn;

export function linkCells({ url, shortCode, labels, ...link }: CsvLink) {
  const own = OWNER_FIELD_NAMES.map((field) => [OWNER_FIELDS[field].column, escapeFormula(link[field] ?? "")]);
  return {
    url: escapeFormula(url),
    short_code: escapeFormula(shortCode),
    labels: escapeFormula(joinLabels(labels)),
    ...(Object.fromEntries(own) as Record<OwnerColumn, string>),
  } satisfies Record<ImportColumn, string>;
}

export function readLinkCells(cell: (column: ImportColumn) => string): CsvLink {
  return {
    url: unescapeFormula(cell("url")),
    shortCode: unescapeFormula(cell("short_code")),
    labels: splitLabels(unescapeFormula(cell("labels"))),
    ...eachOwnerField((field) => unescapeFormula(cell(OWNER_FIELDS[field].column)) || null),
  };
}
/** Names separated by semicolons; a backslash precedes a semicolon or backslash of a name. */
export function joinLabels(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[\\;]/g, "\\$&")).join("; ");
}

/** The inverse of `joinLabels`. Blanks around names, which no name begins or ends with, and empty names are left out. */
export function splitLabels(text: string): string[] {
  return [...text.matchAll(/(?:\\.|[^;\\]|\\$)+/gs)]
    .map(([name]) => name.trim().replaceAll(/\\(.)/gs, "$1"))
    .filter((name) => name !== "");
}
