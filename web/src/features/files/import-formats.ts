import { LINKS_CSV_REQUIRED_COLUMNS } from "@tapthru/proto/links-csv";

/** `table`: a table of no product that is known; `addresses`: one address in each line. */
export type ImportFormat = "own" | "bitly" | "geniuslink" | "kutt" | "shlink" | "yourls" | "table" | "addresses";

/** `slug`: the code or the short address, which may have a `domain`; `shortUrl`: the generated one, used if the cell of `slug` is empty. */
const COLUMNS = ["url", "slug", "domain", "shortUrl", "nickname", "labels", "expiresAt"] as const;
type Column = (typeof COLUMNS)[number];

export interface TableFormat {
  format: ImportFormat;
  /** By index; -1 for one that the table does not have. */
  columns: Record<Column, number>;
  labelSeparator: RegExp;
}

/** With the names of its columns in the form of `columnKey`, unless they are those of TABLE. */
interface Definition extends Partial<Record<Column, readonly string[]>> {
  format: ImportFormat;
  /** A header must have one of each. */
  requires: readonly (readonly string[])[];
  labelSeparator?: RegExp;
}

/** Those that a user can choose. */
export const CHOSEN_COLUMNS = ["url", "slug", "nickname", "expiresAt"] as const;

/**
 * The exports that are known, most specific first. Sources of the column names:
 * - Bitly: the fields of its API (dev.bitly.com, getBitlinksByGroup), which its list export has as columns
 *   (`long_url, custom_bitlink, title, archived, tags, created_at` in docs.elido.app/docs/migrations/from-bitly), and
 *   the columns of its dashboard (`Link`, `Custom Link`, `Destination URL` in urlr-docs, migration/bitly.md)
 * - Geniuslink: no public description of its file; `ShortUrlCode` and `Domain` are the fields of its API (links/list).
 * - Kutt: it exports no file (thedevs-network/kutt issues 37 and 82); the fields of its API (`GET /api/v2/links`), which
 *   scripts and dumps of its table `links` have as columns
 * - Shlink: shlinkio/shlink-web-component, ExportShortUrlsBtn.tsx, and its import (shlink-importer, CsvImporter.php)
 * - YOURLS: the columns of its table of links, which its export plugins write (`keyword,url,title,timestamp,ip,clicks`),
 *   and GautamGupta/YOURLS-Import-Export, fileio/csv.php (`source,target,hits`)
 */
const DEFINITIONS: readonly Definition[] = [
  {
    format: "shlink",
    requires: [["shortcode"], ["longurl"]],
    url: ["longurl"],
    slug: ["shortcode"],
    shortUrl: ["shorturl"],
    labelSeparator: /\|/,
  },
  { format: "yourls", requires: [["keyword"], ["url"]], url: ["url"], slug: ["keyword"] },
  { format: "yourls", requires: [["source"], ["target"]], url: ["target"], slug: ["source"] },
  { format: "kutt", requires: [["address"], ["target"]], url: ["target"], slug: ["address"], expiresAt: ["expirein"] },
  {
    format: "bitly",
    requires: [
      ["longurl", "destinationurl"],
      ["custombitlink", "custombitlinks", "bitlink", "link"],
    ],
    url: ["longurl", "destinationurl"],
    slug: ["customlink", "custombitlink", "custombitlinks", "customlinks"],
    shortUrl: ["link", "bitlink", "shortlink", "id"],
  },
  {
    format: "geniuslink",
    requires: [["shorturlcode"]],
    url: ["url", "destinationurl", "baseurl", "longurl", "originalurl"],
    slug: ["shorturlcode"],
    labels: ["group", "groupname"],
  },
];

/** Names of columns in tables of no product that is known. */
const TABLE: Definition = {
  format: "table",
  requires: [],
  url: [
    "url",
    "longurl",
    "destinationurl",
    "destination",
    "originalurl",
    "targeturl",
    "target",
    "baseurl",
    "amazonurl",
    "amazonlink",
    "link",
  ],
  slug: [
    "slug",
    "slashtag",
    "alias",
    "keyword",
    "shortcode",
    "code",
    "backhalf",
    "customlink",
    "shorturl",
    "shortlink",
  ],
  nickname: ["nickname", "name", "title", "note", "notes", "description"],
  labels: ["labels", "tags", "group"],
  expiresAt: ["expiresat", "expires", "expirydate", "expirationdate", "expiry"],
};
/** Names of codes in tables that have the domain of each: Dub has `Key`, Short.io `Path`. */
const CODES_OF_DOMAINS = ["key", "path"];
const DOMAINS = ["domain", "domainname", "domainfullname"];

/** A name without case, blanks and punctuation: "Long URL", "long_url" and "longUrl" are the same. */
const columnKey = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Recognises a table by its header; null if it has no column of addresses. @param chosen numbers from 1 of CHOSEN_COLUMNS; 0: none */
export function findTableFormat(header: readonly string[], chosen?: readonly number[]): TableFormat | null {
  const keys = header.map(columnKey);
  const isNamed = (names: readonly string[]) => names.some((key) => keys.includes(key));
  const definition = DEFINITIONS.find(({ requires }) => requires.every(isNamed)) ?? TABLE;
  const hasDomains = isNamed(DOMAINS);
  function find(column: Column): number {
    const names = column === "domain" ? DOMAINS : (definition[column] ?? TABLE[column] ?? []);
    const all = column === "slug" && hasDomains ? [...names, ...CODES_OF_DOMAINS] : names;
    return all.map((key) => keys.indexOf(key)).find((at) => at !== -1) ?? -1;
  }
  const columns = Object.fromEntries(COLUMNS.map((column) => [column, find(column)])) as TableFormat["columns"];
  if (chosen) {
    columns.shortUrl = -1;
    for (const [at, column] of CHOSEN_COLUMNS.entries()) columns[column] = (chosen[at] ?? 0) - 1;
  }
  const { format, labelSeparator = /[,;|]/ } = definition;
  return columns.url === -1 ? null : { format, columns, labelSeparator };
}

/** The names of columns that a header has twice. */
export function doubleColumns(header: readonly string[]): string[] {
  const keys = header.map(columnKey);
  return header.filter((_, at) => keys[at] !== "" && keys.indexOf(keys[at] ?? "") < at);
}

export function isOwnExport(header: readonly string[]): boolean {
  return LINKS_CSV_REQUIRED_COLUMNS.every((column) => header.includes(column));
}
