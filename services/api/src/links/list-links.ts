import { recentRange } from "@tapthru/core/clicks/click-range";
import type { ClickStore } from "@tapthru/core/clicks/click-store";
import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { readEachRow } from "@tapthru/core/platform/unreadable";
import type { Link, LinkOrder, listLinks as listLinksCall } from "@tapthru/proto/links";
import { isMarketplace, MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { LINKS_IDS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { type FragmentSqlToken, type ListSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Caller } from "../http/guards.ts";
import { requireScope } from "../keys/key-access.ts";
import { type LinkConditions, matching } from "./link-conditions.ts";
import { linkReply } from "./link-reply.ts";
import { LinkRow, linkColumns } from "./link-row.ts";

export interface LinksPage extends LinkConditions {
  userId: number;
  limit: number;
  order: LinkOrder;
  /** In the order `clicks`: a query of `link_id` and `people`; links without people may be absent. */
  people?: FragmentSqlToken | undefined;
  /** The last link on the previous page; `sortValue` is null in the order `newest`. */
  cursor?: { id: number; sortValue: string | null } | undefined;
}

const ListedLink = z.extend(LinkRow, {
  /** The name, or the number of people. */
  sortValue: z.nullable(z.string()),
});
type ListedLink = z.infer<typeof ListedLink>;

const CursorRow = z.pick(ListedLink, { id: true, sortValue: true });

/**
 * Links that one request looks at for those with a text or another condition, well within the statement timeout, also where
 * none has it.
 */
export const SEARCHED_LINKS = 50_000;

/** The last link that a page looks at; null: the user's last one. */
async function searchEnd(db: Db<"maybeOne">, page: LinksPage, count: number): Promise<Cursor | null> {
  const { search, label, store, filter } = page;
  const isSearch = Boolean(search ?? label ?? store ?? filter);
  return isSearch ? findSearchEnd(db, page, count) : null;
}

type Cursor = NonNullable<LinksPage["cursor"]>;

/** Returns one page, which may be short or empty, and the cursor of the next; `next` is null on the last page. */
export async function listLinks(
  deps: { db: Db<"any" | "maybeOne">; logger: Logger },
  page: LinksPage,
  searchedCount = SEARCHED_LINKS,
): Promise<{ links: readonly ListedLink[]; next: Cursor | null }> {
  const end = await searchEnd(deps.db, page, searchedCount);
  const query = linksPageQuery({ ...page, limit: page.limit + 1 }, end);
  const rows = await readEachRow(deps, query, ["id", "shortCode"]);
  const links = rows.slice(0, page.limit).flatMap(({ row }) => row ?? []);
  if (rows.length <= page.limit) return { links, next: end };
  const last = z.parse(CursorRow, rows[page.limit - 1]?.raw);
  return { links, next: { id: last.id, sortValue: last.sortValue } };
}

/** @returns the ids, newest first, and the last link that was looked at, after which there may be more; null if there are none */
export async function listLinkIds(
  db: Db<"any" | "maybeOne">,
  page: LinkConditions & { userId: number; before?: number | undefined },
  searchedCount = SEARCHED_LINKS,
): Promise<{ ids: number[]; next: number | null }> {
  const { before, ...conditions } = page;
  const cursor = before === undefined ? undefined : { id: before, sortValue: null };
  const limit = LINKS_IDS_MAX_COUNT;
  const idsPage: LinksPage = { ...conditions, cursor, limit, order: "newest" };
  const end = await searchEnd(db, idsPage, searchedCount);
  const ids = await findLinkIds(db, idsPage, end);
  return { ids, next: (ids.length === limit ? ids.at(-1) : end?.id) ?? null };
}

export interface LinksPageDependencies {
  db: Db<"any" | "maybeOne">;
  /** In the order by clicks. */
  reports: Db<"any" | "maybeOne">;
  clickStore: Pick<ClickStore, "people">;
  publicBaseUrl: string;
  logger: Logger;
}

/** @returns the links of a page, and the `cursor` of the next; null on the last page */
export async function userLinksPage(
  deps: LinksPageDependencies,
  { userId, scopes }: Caller,
  query: z.output<typeof listLinksCall.query>,
): Promise<{ links: Link[]; nextCursor: string | null }> {
  const { clickStore, publicBaseUrl, reports } = deps;
  const { limit, cursor, q: search, sort: order, tz, store, label, show: filter } = query;
  // The cursor of this order has numbers of clicks.
  if (order === "clicks") requireScope(scopes, "clicks:read");
  const people = order === "clicks" ? await clickStore.people(userId, recentRange(tz)) : undefined;
  const page = { userId, limit, cursor, search, order, people, store, label, filter };
  const { links, next } = await listLinks(order === "clicks" ? { ...deps, db: reports } : deps, page);
  return {
    links: links.map((row) => linkReply(row, publicBaseUrl)),
    nextCursor: next ? cursorText(next) : null,
  };
}

function cursorText({ id, sortValue }: { id: number; sortValue: string | null }): string {
  return sortValue === null ? String(id) : `${id}~${sortValue}`;
}

/**
 * One page of the user's links. BETWEEN makes Postgres use the index of the order (`links_user_id_id_idx`,
 * `links_user_id_sort_name_id_idx`). For an equality it may use the primary key and read the links of all users, if it
 * estimates that the user has many links. Conditions are checked on the links in index order.
 * Only the order by clicks reads all links of the user.
 * @param end the last link to look at
 */
export function linksPageQuery(page: LinksPage, end?: LinksPage["cursor"] | null) {
  const { limit, order, cursor, ...conditions } = page;
  const { value, by } = ORDERS[order];
  return sql.type(ListedLink)`
    SELECT ${linkColumns}, ${value} AS "sortValue"
    FROM ${linksOf(page)} LEFT JOIN products product USING (canonical_url)
    WHERE ${within(page, end)} AND ${matching(page.userId, conditions)}
    ORDER BY ${by}
    LIMIT ${limit}
  `;
}

/** The last of the next `count` links of the user, with any conditions; null if they have fewer. */
export function findSearchEnd(
  db: Db<"maybeOne">,
  page: Pick<LinksPage, "userId" | "order" | "people" | "cursor">,
  count: number,
) {
  const { value, by } = ORDERS[page.order];
  return db.maybeOne(sql.type(z.pick(ListedLink, { id: true, sortValue: true }))`
    SELECT link.id, ${value} AS "sortValue" FROM ${linksOf(page)} WHERE ${within(page)}
    ORDER BY ${by} OFFSET ${count - 1} LIMIT 1
  `);
}

function linksOf({ people }: Pick<LinksPage, "people">): FragmentSqlToken {
  return sql.fragment`links link ${people === undefined ? sql.fragment`` : sql.fragment`LEFT JOIN (${people}) AS counted ON counted.link_id = link.id`}`;
}

/** After the cursor and not after the end. */
function within(
  { userId, order, cursor }: Pick<LinksPage, "userId" | "order" | "cursor">,
  end?: LinksPage["cursor"] | null,
): ListSqlToken {
  const { key, keyOf, isDescending } = ORDERS[order];
  return sql.join(
    [
      sql.fragment`link.user_id BETWEEN ${userId} AND ${userId}`,
      // The condition of the partial index.
      ...(order === "name" ? [sql.fragment`link.sort_name IS NOT NULL`] : []),
      ...(cursor ? [compared(isDescending ? sql.fragment`<` : sql.fragment`>`, cursor)] : []),
      ...(end ? [compared(isDescending ? sql.fragment`>=` : sql.fragment`<=`, end)] : []),
    ],
    sql.fragment` AND `,
  );

  function compared(operator: FragmentSqlToken, to: NonNullable<LinksPage["cursor"]>) {
    return sql.fragment`${key} ${operator} ${keyOf(to)}`;
  }
}

interface Order {
  value: FragmentSqlToken;
  key: FragmentSqlToken;
  keyOf(cursor: NonNullable<LinksPage["cursor"]>): FragmentSqlToken;
  isDescending: boolean;
  by: FragmentSqlToken;
}

const ORDERS: Record<LinkOrder, Order> = {
  newest: {
    value: sql.fragment`NULL`,
    key: sql.fragment`link.id`,
    keyOf: ({ id }) => sql.fragment`${id}`,
    isDescending: true,
    by: sql.fragment`link.user_id, link.id DESC`,
  },
  name: {
    value: sql.fragment`link.sort_name`,
    key: sql.fragment`(link.sort_name, link.id)`,
    keyOf: ({ id, sortValue }) => sql.fragment`(${sortValue}, ${id})`,
    isDescending: false,
    by: sql.fragment`link.user_id, link.sort_name, link.id`,
  },
  clicks: {
    value: sql.fragment`coalesce(counted.people, 0)::text`,
    key: sql.fragment`(coalesce(counted.people, 0), link.id)`,
    keyOf: ({ id, sortValue }) => sql.fragment`(${sortValue}::text::bigint, ${id})`,
    isDescending: true,
    by: sql.fragment`coalesce(counted.people, 0) DESC, link.id DESC`,
  },
};

const LinkId = z.object({ id: z.int() });

/** The ids of matching links, newest first, in the order of the index as in `linksPageQuery`. */
async function findLinkIds(db: Db<"any">, page: LinksPage, end?: LinksPage["cursor"] | null): Promise<number[]> {
  const { limit, ...conditions } = page;
  const rows = await db.any(sql.type(LinkId)`
    SELECT link.id
    FROM links link LEFT JOIN products product USING (canonical_url)
    WHERE ${within(page, end)} AND ${matching(page.userId, conditions)}
    ORDER BY ${ORDERS.newest.by}
    LIMIT ${limit}
  `);
  return rows.map(({ id }) => id);
}

const STORES = Object.keys(MARKETPLACES).filter(isMarketplace).sort();

/** The stores that the user's links lead to, in alphabetical order: a look-up for each store. */
export async function findLinkStores(db: Db<"any">, userId: number): Promise<Marketplace[]> {
  const rows = await db.any(sql.type(z.object({ store: z.enum(STORES) }))`
    SELECT store FROM unnest(${sql.array(STORES, "text")}) WITH ORDINALITY AS known (store, place)
    WHERE EXISTS (SELECT FROM links WHERE user_id = ${userId} AND marketplace = store)
    ORDER BY place
  `);
  return rows.map(({ store }) => store);
}
