import { harmlessCell, originalCell } from "./csv-cell.ts";

/**
 * The columns of exported links. The first six are what an import reads; it ignores the others. Columns may be added at
 * the end; none is renamed or given another meaning, because people keep exported files.
 */
export const LINKS_CSV_COLUMNS = [
  "url",
  "short_code",
  "title",
  "nickname",
  "labels",
  "expires_at",
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
] as const;
export type LinksCsvColumn = (typeof LINKS_CSV_COLUMNS)[number];

/** The columns of which a file must have all to be read as one of our exports. */
export const LINKS_CSV_REQUIRED_COLUMNS = [
  "url",
  "short_code",
  "title",
  "nickname",
  "labels",
  "expires_at",
] as const satisfies readonly LinksCsvColumn[];

/** What an import takes from a line. */
export interface CsvLink {
  /** The original address. */
  url: string;
  shortCode: string;
  /** The owner's title; null if the link shows that of the page. */
  title: string | null;
  nickname: string | null;
  labels: readonly string[];
  /** ISO 8601. */
  expiresAt: string | null;
}

/** The cells of an import's columns, in the order of LINKS_CSV_REQUIRED_COLUMNS. */
export function linkCells({ url, shortCode, title, nickname, labels, expiresAt }: CsvLink) {
  return {
    url: harmlessCell(url),
    short_code: harmlessCell(shortCode),
    title: harmlessCell(title ?? ""),
    nickname: harmlessCell(nickname ?? ""),
    labels: harmlessCell(joinLabels(labels)),
    expires_at: expiresAt ?? "",
  } satisfies Partial<Record<LinksCsvColumn, string>>;
}

/** The inverse of `linkCells`. The values are not validated. */
export function readLinkCells(
  cells: Readonly<Record<(typeof LINKS_CSV_REQUIRED_COLUMNS)[number], string>>,
): CsvLink {
  return {
    url: originalCell(cells.url),
    shortCode: originalCell(cells.short_code),
    title: originalCell(cells.title) || null,
    nickname: originalCell(cells.nickname) || null,
    labels: splitLabels(originalCell(cells.labels)),
    expiresAt: cells.expires_at || null,
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
