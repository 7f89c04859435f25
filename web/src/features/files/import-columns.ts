import { LINKS_CSV_REQUIRED_COLUMNS } from "@tapthru/proto/links-csv";

/**
 * The names that columns of tables have, those that count first at the start. Sources of the names in exports:
 * - Bitly: the fields of its API (dev.bitly.com, getBitlinksByGroup), which its list export has as columns
 *   (`long_url, custom_bitlink, title, archived, tags, created_at` in docs.elido.app/docs/migrations/from-bitly), and
 *   the columns of its dashboard (`Link`, `Custom Link`, `Destination URL` in urlr-docs, migration/bitly.md)
 * - Geniuslink: no public description of its file; `ShortUrlCode` and `Domain` are the fields of its API (links/list).
 * - Kutt: it exports no file (thedevs-network/kutt issues 37 and 82); the fields of its API (`GET /api/v2/links`), which
 *   scripts and dumps of its table `links` have as columns
 * - Shlink: shlinkio/shlink-web-component, ExportShortUrlsBtn.tsx, and its import (shlink-importer, CsvImporter.php)
 * - Sink (Export.vue), and plugins of WordPress: BetterLinks (Export.php), Pretty Links Pro, Lasso, ThirstyAffiliates
 * - YOURLS: the columns of its table of links, which its export plugins write (`keyword,url,title,timestamp,ip,clicks`),
 *   and GautamGupta/YOURLS-Import-Export, fileio/csv.php (`source,target,hits`)
 */
const words = (text: string) => text.split(/\s+/);
const NAMES = {
  url: words("url longurl destinationurl destination originalurl targeturl target baseurl amazonurl amazonlink link"),
  codes:
    words(`slug slashtag alias keyword shortcode shorturlcode code backhalf linkslug permalink customlink customlinks
    custombitlink custombitlinks shorturl shortlink bitlink link`),
  domain: words("domain domainname domainfullname"),
  nickname: words("nickname name title linktitle linkname note notes description comment comments"),
  labels: words("labels tags group groupname linkcategories linktags"),
  expiresAt: words(
    "expiresat expires expirydate expirationdate expiry expirein expire expiration expiredat validuntil",
  ),
};
/** Names of labels in tables without others. */
const CATEGORIES = ["categories", "category"];
/** Names of codes in tables that have the domain of each: Dub has `Key`, Short.io `Path`. */
const CODES_OF_DOMAINS = ["key", "path"];
/** Names of codes in tables with a `target`: Kutt has `address`, a plugin of YOURLS `source`. */
const CODES_OF_TARGETS = ["address", "source"];

/** By index; -1 for one that the table does not have. */
export interface TableColumns extends Record<Exclude<keyof typeof NAMES, "codes" | "labels">, number> {
  labels: readonly number[];
  /** Those of codes and short addresses: of each row, the first that is not empty counts. */
  codes: readonly number[];
}

/** A name without case, blanks and punctuation: "Long URL", "long_url" and "longUrl" are the same. */
const columnKey = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Finds the columns of a table by its header; null without one of addresses. @param url its index, if its name is not known */
export function findColumns(header: readonly string[], url?: number): TableColumns | null {
  const keys = header.map(columnKey);
  const all = (names: readonly string[]) => names.map((key) => keys.indexOf(key)).filter((at) => at !== -1);
  const first = (names: readonly string[]) => all(names)[0] ?? -1;
  const columns = {
    url: url ?? first(NAMES.url),
    domain: first(NAMES.domain),
    nickname: first(NAMES.nickname),
    labels: [NAMES.labels, CATEGORIES].map(all).find((found) => found.length > 0) ?? [],
    expiresAt: first(NAMES.expiresAt),
  };
  const codes = [
    ...NAMES.codes,
    ...(columns.domain === -1 ? [] : CODES_OF_DOMAINS),
    ...(keys[columns.url] === "target" ? CODES_OF_TARGETS : []),
  ];
  return columns.url === -1 ? null : { ...columns, codes: all(codes).filter((at) => at !== columns.url) };
}

export function isOwnExport(header: readonly string[]): boolean {
  return LINKS_CSV_REQUIRED_COLUMNS.every((column) => header.includes(column));
}
