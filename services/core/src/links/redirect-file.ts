import { Readable } from "node:stream";
import { linkAddress, linkFallback, openedPage } from "@tapthru/proto/redirect/link-of-owner";
import { OwnerRecord } from "@tapthru/proto/redirect/owner";
import { RedirectRecord } from "@tapthru/proto/redirect/record";
import { storeDestination } from "@tapthru/proto/rules/amazon/amazon-url";
import { removeTag } from "@tapthru/proto/rules/amazon/remove-tag";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Db } from "../platform/postgres/postgres.ts";

/** The links of a user on an own domain; null: on the site's own host. */
interface Source {
  userId: number;
  host: string | null;
}

/**
 * The lines of a file `_redirects`, with which hosts of web pages open the links of a host, each in its own store, without this service,
 * by their earlier and untagged codes too. Resolves after the first links were read; the others are read as fast as the stream is.
 */
export async function redirectFile(db: Db<"any">, source: Source): Promise<Readable> {
  const pages = redirectPages(db, source);
  const first = await pages.next();
  return Readable.from(
    (async function* () {
      if (!first.done) yield first.value;
      yield* pages;
    })(),
  );
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

/** The number of a host's links up to which only these are read, instead of all links of the user. */
const LINKS_OF_HOST = 10_000;

async function* redirectPages(db: Db<"any">, source: Source): AsyncGenerator<string> {
  const ids = source.host === null ? null : await findLinksOfHost(db, source.userId, source.host);
  if (ids === null || ids.length > LINKS_OF_HOST) {
    let rows: readonly z.infer<typeof LinkRow>[];
    let before: number | null = null;
    do {
      rows = await findLinks(db, source, sql.fragment`(${before}::bigint IS NULL OR id < ${before})`);
      yield rows.flatMap((row) => linesOf(row, source)).join("");
      before = rows.at(-1)?.id ?? null;
    } while (rows.length === LINKS_PER_PAGE);
    return;
  }
  for (let first = 0; first < ids.length; first += LINKS_PER_PAGE) {
    const page = sql.array(ids.slice(first, first + LINKS_PER_PAGE), "int8");
    const rows = await findLinks(db, source, sql.fragment`id = ANY(${page})`);
    yield rows.flatMap((row) => linesOf(row, source)).join("");
  }
}

function linesOf({ record, owner, isClosed, codes }: z.infer<typeof LinkRow>, { host }: Source): string[] {
  if (record?.state !== "live") return [];
  const fallback = owner && linkFallback(record, owner);
  const own = storeDestination(owner ? linkAddress(record, owner) : record.webUrl);
  const page = own && openedPage(own, fallback, isClosed);
  if (page === null) return [];
  return codes.map(({ name, isUntagged }) => {
    const address = plainAddress(isUntagged ? removeTag(page.webUrl) : page.webUrl);
    return `${host === null ? `/l/${name}` : `/${name}`} ${address} 302\n`;
  });
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
