import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { RedirectFormat } from "@tapthru/proto/export";
import { linkAddress, linkFallback, openedPage } from "@tapthru/proto/redirect/link-of-owner";
import { OwnerRecord } from "@tapthru/proto/redirect/owner";
import { RedirectRecord } from "@tapthru/proto/redirect/record";
import { storeDestination } from "@tapthru/proto/rules/amazon/amazon-url";
import { removeTag } from "@tapthru/proto/rules/amazon/remove-tag";
import { packTar } from "modern-tar";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Db } from "../platform/postgres/postgres.ts";

/** The links of a user on an own domain; null: on the site's own host. */
interface Source {
  userId: number;
  host: string | null;
}

/**
 * A file with which a web server opens the links of a host, each in its own store, without this service, by their earlier and untagged codes too.
 * Resolves after the first links were read; the others are read as fast as the stream is.
 */
export async function redirectFile(db: Db<"any">, source: Source, format: RedirectFormat): Promise<Readable> {
  const pages = redirectPages(db, source);
  const first = await pages.next();
  const all = (async function* () {
    if (!first.done) yield first.value;
    yield* pages;
  })();
  if (format === "html") return pipeline(Readable.from(archive(all)), createGzip(), () => {});
  return Readable.from(format === "nginx" ? nginxMap(all, source) : netlifyLines(all));
}

/** Both without characters that have a meaning in one of the formats. */
interface Redirect {
  /** "/mug", "/" or, on the site's own host, "/l/mug". */
  path: string;
  address: string;
}
type Pages = AsyncIterable<readonly Redirect[]>;

async function* netlifyLines(pages: Pages) {
  for await (const page of pages) yield page.map(({ path, address }) => `${path} ${address} 302\n`).join("");
}

async function* nginxMap(pages: Pages, { host }: Source) {
  const variable = `$link_of_${host?.replaceAll("-", "__").replaceAll(".", "_") ?? "site"}`;
  yield `# In http, once: map_hash_bucket_size 256; map_hash_max_size 262144; and an include of this file.
# In the server: if (${variable}) { return 302 ${variable}; }
map $uri ${variable} {\n`;
  for await (const page of pages) yield page.map(({ path, address }) => `  ${path} "${address}";\n`).join("");
  yield "}\n";
}

const END_OF_TAR = 1_024;

async function* archive(pages: Pages) {
  for await (const page of pages) {
    const files = page.map(({ path, address }) => {
      const body = Buffer.from(htmlPage(address));
      return { header: { name: `${path}/index.html`.replace(/^\/+/, ""), size: body.length }, body };
    });
    yield (await packTar(files)).subarray(0, -END_OF_TAR);
  }
  yield Buffer.alloc(END_OF_TAR);
}

function htmlPage(address: string): string {
  const href = address.replaceAll("&", "&amp;");
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url=${href}">
<title>Amazon</title>
<p><a href="${href}">${href}</a></p></html>
`;
}

/** @param webUrl https, of a store */
export function plainAddress(webUrl: string): string {
  const escaped = (text: string) =>
    text < "\x80" ? `%${text.charCodeAt(0).toString(16).padStart(2, "0")}` : encodeURIComponent(text.toWellFormed());
  return `https://${webUrl.slice("https://".length).replace(/[^\w\-.~/?&=%+,]/gu, escaped)}`;
}

/** A page of them is made without a pause. */
const LINKS_PER_PAGE = 200;

const LinkRow = z.object({
  id: z.int(),
  record: z.catch(z.nullable(RedirectRecord), null),
  owner: z.catch(z.nullable(OwnerRecord), null),
  isClosed: z.boolean(),
  codes: z.array(z.object({ name: z.string(), isUntagged: z.boolean() })),
});

/** Of a host with fewer links only these are read; with more of them, all links of the user. */
const LINKS_OF_HOST = 10_000;

async function* redirectPages(db: Db<"any">, source: Source): AsyncGenerator<Redirect[]> {
  const ids = source.host === null ? null : await findLinksOfHost(db, source.userId, source.host);
  if (ids === null || ids.length > LINKS_OF_HOST) {
    let rows: readonly z.infer<typeof LinkRow>[];
    let before: number | null = null;
    do {
      rows = await findLinks(db, source, sql.fragment`(${before}::bigint IS NULL OR id < ${before})`);
      yield rows.flatMap((row) => redirectsOf(row, source));
      before = rows.at(-1)?.id ?? null;
    } while (rows.length === LINKS_PER_PAGE);
    return;
  }
  for (let first = 0; first < ids.length; first += LINKS_PER_PAGE) {
    const page = sql.array(ids.slice(first, first + LINKS_PER_PAGE), "int8");
    const rows = await findLinks(db, source, sql.fragment`id = ANY(${page})`);
    yield rows.flatMap((row) => redirectsOf(row, source));
  }
}

function redirectsOf({ record, owner, isClosed, codes }: z.infer<typeof LinkRow>, { host }: Source): Redirect[] {
  if (record?.state !== "live") return [];
  const fallback = owner && linkFallback(record, owner);
  const own = storeDestination(owner ? linkAddress(record, owner) : record.webUrl);
  const page = own && openedPage(own, fallback, isClosed);
  if (page === null) return [];
  return codes.map(({ name, isUntagged }) => ({
    path: host === null ? `/l/${name}` : `/${name}`,
    address: plainAddress(isUntagged ? removeTag(page.webUrl) : page.webUrl),
  }));
}

/** Ids of links that have or had a code on the host, one more than the limit at most. */
async function findLinksOfHost(db: Db<"any">, userId: number, host: string): Promise<readonly number[]> {
  const isOnHost = sql.fragment`split_part(short_code, '@', 2) = ${host} AND position('@' IN short_code) > 0`;
  const limit = sql.fragment`LIMIT ${LINKS_OF_HOST + 1}`;
  const rows = await db.any(sql.type(z.object({ id: z.int() }))`
    (SELECT id FROM links WHERE ${isOnHost} AND user_id = ${userId} ${limit})
    UNION (SELECT link_id FROM link_codes WHERE ${isOnHost} ${limit}) ${limit}
  `);
  return rows.map(({ id }) => id);
}

/** @param isOnPage a condition on the links */
function findLinks(db: Db<"any">, { userId, host }: Source, isOnPage: FragmentSqlToken) {
  return db.any(sql.type(LinkRow)`
    SELECT id, redirect_record(link, product) AS record, (SELECT owner_record(${userId})) AS owner,
      coalesce(expires_at <= now() OR starts_at > now(), false) AS "isClosed", (
      SELECT coalesce(jsonb_agg(jsonb_build_object('name', split_part(code, '@', 1), 'isUntagged', is_untagged)), '[]')
      FROM (
        SELECT link.short_code, false UNION SELECT short_code, is_untagged FROM link_codes WHERE link_id = link.id
      ) AS codes (code, is_untagged)
      WHERE split_part(code, '@', 2) = ${host ?? ""}
    ) AS codes
    FROM links AS link LEFT JOIN products AS product USING (canonical_url)
    WHERE user_id BETWEEN ${userId} AND ${userId} AND ${isOnPage} AND taken_down_at IS NULL
    ORDER BY user_id DESC, id DESC LIMIT ${LINKS_PER_PAGE}
  `);
}
