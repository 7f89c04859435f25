import { LINKS_CSV_REQUIRED_COLUMNS } from "@tapthru/proto/links-csv";

/** `table`: a table of no product that is known; `addresses`: one address in each line. */
export type ImportFormat = "own" | "bitly" | "geniuslink" | "kutt" | "shlink" | "yourls" | "table" | "addresses";

/** The columns of a table by index; -1 for one that it does not have. */
interface TableColumns {
  url: number;
  /** The code or the short address. */
  slug: number;
  /** Of the short address. */
  domain: number;
  /** The generated short address; used if the cell of `slug` is empty. */
  shortUrl: number;
  nickname: number;
  labels: number;
  expiresAt: number;
}

export interface TableFormat {
  format: ImportFormat;
  columns: TableColumns;
  labelSeparator: RegExp;
}

interface Definition {
  format: ImportFormat;
  /** Names of which a header must have all, in the form of `columnKey`. */
  requires: readonly string[];
  url: readonly string[];
  slug?: readonly string[];
  shortUrl?: readonly string[];
  nickname?: readonly string[];
  labels?: readonly string[];
  labelSeparator?: RegExp;
  expiresAt?: readonly string[];
}

/** Those that a user can choose. */
export const CHOSEN_COLUMNS = ["url", "slug", "nickname", "expiresAt"] as const;

const BITLY = {
  format: "bitly",
  slug: ["customlink", "custombitlink", "custombitlinks", "customlinks"],
  shortUrl: ["link", "bitlink", "shortlink", "id"],
  nickname: ["title"],
  labels: ["tags"],
} as const;

/**
 * The exports that are known, most specific first. Sources of the column names:
 * - Bitly: the fields of its API (dev.bitly.com, getBitlinksByGroup), which its list export has as columns
 *   (`long_url, custom_bitlink, title, archived, tags, created_at` in docs.elido.app/docs/migrations/from-bitly), and
 *   the columns of its dashboard (`Link`, `Custom Link`, `Destination URL` in urlr-docs, migration/bitly.md)
 * - Geniuslink: no public description of its file; `ShortUrlCode` and `Domain` are the fields of its API (links/list).
 *   Files with other columns are recognised by addresses on geni.us
 * - Kutt: it exports no file (thedevs-network/kutt issues 37 and 82); the fields of its API (`GET /api/v2/links`), which
 *   scripts and dumps of its table `links` have as columns
 * - Shlink: shlinkio/shlink-web-component, ExportShortUrlsBtn.tsx, and its import (shlink-importer, CsvImporter.php)
 * - YOURLS: the columns of its table of links, which its export plugins write (`keyword,url,title,timestamp,ip,clicks`),
 *   and GautamGupta/YOURLS-Import-Export, fileio/csv.php (`source,target,hits`)
 */
const DEFINITIONS: readonly Definition[] = [
  {
    format: "shlink",
    requires: ["shortcode", "longurl"],
    url: ["longurl"],
    slug: ["shortcode"],
    shortUrl: ["shorturl"],
    nickname: ["title"],
    labels: ["tags"],
    labelSeparator: /\|/,
  },
  {
    format: "yourls",
    requires: ["keyword", "url"],
    url: ["url"],
    slug: ["keyword"],
    nickname: ["title"],
  },
  { format: "yourls", requires: ["source", "target"], url: ["target"], slug: ["source"] },
  {
    format: "kutt",
    requires: ["address", "target"],
    url: ["target"],
    slug: ["address"],
    nickname: ["description"],
    expiresAt: ["expirein"],
  },
  { ...BITLY, requires: ["longurl", "custombitlink"], url: ["longurl"] },
  { ...BITLY, requires: ["longurl", "custombitlinks"], url: ["longurl"] },
  { ...BITLY, requires: ["longurl", "bitlink"], url: ["longurl"] },
  { ...BITLY, requires: ["longurl", "link"], url: ["longurl"] },
  { ...BITLY, requires: ["destinationurl", "link"], url: ["destinationurl"] },
  {
    format: "geniuslink",
    requires: ["shorturlcode"],
    url: ["url", "destinationurl", "baseurl", "longurl", "originalurl"],
    slug: ["shorturlcode"],
    nickname: ["note", "notes"],
    labels: ["group", "groupname"],
  },
];

/** Names of columns in tables of no product that is known. */
const TABLE: Omit<Definition, "requires"> = {
  format: "table",
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
function columnKey(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Recognises a table by its header; null if it has no column of addresses. @param chosen numbers from 1 of CHOSEN_COLUMNS; 0: none */
export function findTableFormat(header: readonly string[], chosen?: readonly number[]): TableFormat | null {
  const keys = header.map(columnKey);
  const definition = DEFINITIONS.find(({ requires }) => requires.every((key) => keys.includes(key)));
  const { labelSeparator = /[,;|]/, ...names } = definition ?? TABLE;
  const find = (candidates: readonly string[] = []) =>
    candidates.map((key) => keys.indexOf(key)).find((index) => index !== -1) ?? -1;
  const columns = {
    url: find(names.url),
    slug: find([...(names.slug ?? []), ...(find(DOMAINS) === -1 ? [] : CODES_OF_DOMAINS)]),
    domain: find(DOMAINS),
    shortUrl: find(names.shortUrl),
    nickname: find(names.nickname),
    labels: find(names.labels),
    expiresAt: find(names.expiresAt),
    ...(chosen && {
      shortUrl: -1,
      ...Object.fromEntries(CHOSEN_COLUMNS.map((name, at) => [name, (chosen[at] ?? 0) - 1])),
    }),
  };
  return columns.url === -1 ? null : { format: names.format, columns, labelSeparator };
}

/** The names of columns that a header has twice, without case, blanks, hyphens and underscores. */
export function doubleColumns(header: readonly string[]): string[] {
  const seen = new Set<string>();
  const double = new Map<string, string>();
  for (const name of header) {
    const key = name.toLowerCase().replaceAll(/[\s_-]/g, "");
    if (key !== "" && seen.has(key)) double.set(key, name);
    seen.add(key);
  }
  return [...double.values()];
}

export function isOwnExport(header: readonly string[]): boolean {
  return LINKS_CSV_REQUIRED_COLUMNS.every((column) => header.includes(column));
}
