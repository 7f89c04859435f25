import { recentRange } from "@tapthru/core/clicks/click-range";
import { rankQuery, summedDays } from "@tapthru/core/clicks/queries";
import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { readEachRow } from "@tapthru/core/platform/unreadable";
import type { LinkOrder, listLinks as listLinksCall } from "@tapthru/proto/link-lists";
import type { Link } from "@tapthru/proto/links";
import { isMarketplace, MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { COUNTED_LINKS_MAX, LINKS_IDS_MAX_COUNT, LINKS_SORTED_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { type FragmentSqlToken, type ListSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Caller } from "../callers/guards.ts";
import { requireScope } from "../callers/key-access.ts";
import { earningsRank } from "../earnings/earnings-of-links.ts";
import { type LinkSelection, matching } from "./link-conditions.ts";
import { linkReply } from "./link-reply.ts";
import { LinkRow, linkColumns } from "./link-row.ts";

export interface LinksPage extends LinkSelection {
  userId: number;
  limit: number;
  order: LinkOrder;
  /** In an order by value: a query of `link_id` and `value`, more than 0, of LINKS_SORTED_MAX_COUNT links at most. */
  values?: FragmentSqlToken | undefined;
  /** The last link on the previous page. `sortValue` is null in the order `newest`, and empty after the links with a value. */
  cursor?: { id: number; sortValue: string | null } | undefined;
}

const ListedLink = z.extend(LinkRow, {
  /** The name or the value; null in other orders, and of links without value. */
  sortValue: z.nullable(z.string()),
});
type ListedLink = z.infer<typeof ListedLink>;

const CursorRow = z.pick(ListedLink, { id: true, sortValue: true });

/** Pages of Postgres that one request reads at most to look for links with a condition. */
const PAGES_READ = 16_000;
/** Pages of an index and its table that a look-up reads. */
const PAGES_PER_LOOKUP = 4;

/** How many links one request looks at. For a text it looks up the product of each link. */
export function searchedCount({
  q,
  show,
  isByValue = false,
}: Pick<LinkSelection, "q" | "show"> & { isByValue?: boolean }) {
  const lookups = [q, show === "needs-attention", isByValue].filter(Boolean).length;
  return Math.floor(PAGES_READ / (1 + lookups * PAGES_PER_LOOKUP));
}

/** Above the id of each link. */
const BEFORE_ALL = { id: 999_999_999_999_999, sortValue: "" };

/** The last link that a page looks at; null: the user's last one. */
async function searchEnd(db: Db<"maybeOne">, page: LinksPage, count?: number): Promise<Cursor | null> {
  const { userId: _, limit, order, values, cursor, ...conditions } = page;
  const isSearch = Object.values(conditions).some((each) => each !== undefined && each !== "");
  if (!isSearch) return null;
  return findSearchEnd(db, page, count ?? searchedCount({ ...conditions, isByValue: isByValue(page) }));
}

type Cursor = NonNullable<LinksPage["cursor"]>;

const isByValue = ({ values, cursor }: Pick<LinksPage, "values" | "cursor">) =>
  values !== undefined && cursor?.sortValue !== "";

/** Returns one page, which may be short or empty, and the cursor of the next; `next` is null on the last page. */
export async function listLinks(
  deps: { db: Db<"any" | "maybeOne">; logger: Logger },
  page: LinksPage,
  count?: number,
): Promise<{ links: readonly ListedLink[]; next: Cursor | null }> {
  const end = await searchEnd(deps.db, page, count);
  const query = linksPageQuery({ ...page, limit: page.limit + 1 }, end);
  const rows = await readEachRow(deps, query, ["id", "shortCode"]);
  const links = rows.slice(0, page.limit).flatMap(({ row }) => row ?? []);
  const after = page.values === undefined ? null : "";
  if (rows.length <= page.limit) {
    const next = end && { id: end.id, sortValue: end.sortValue ?? after };
    return { links, next: next ?? (isByValue(page) ? BEFORE_ALL : null) };
  }
  const last = z.parse(CursorRow, rows[page.limit - 1]?.raw);
  return { links, next: { id: last.id, sortValue: last.sortValue ?? after } };
}

/** @returns the ids, newest first, and the last link that was looked at, after which there may be more; null if there are none */
export async function listLinkIds(
  db: Db<"any" | "maybeOne">,
  page: LinkSelection & { userId: number; before?: number | undefined },
  count?: number,
): Promise<{ ids: number[]; next: number | null }> {
  const { before, ...conditions } = page;
  const cursor = before === undefined ? undefined : { id: before, sortValue: null };
  const limit = LINKS_IDS_MAX_COUNT;
  const idsPage: LinksPage = { ...conditions, cursor, limit, order: "newest" };
  const end = await searchEnd(db, idsPage, count);
  const ids = await findLinkIds(db, idsPage, end);
  return { ids, next: (ids.length === limit ? ids.at(-1) : end?.id) ?? null };
}

/** How many links match, up to COUNTED_LINKS_MAX of those that one request looks at. */
export async function countLinks(db: Db<"maybeOne" | "one">, selection: LinkSelection & { userId: number }) {
  const { count, isEnd } = await findPlace(db, selection, { limit: COUNTED_LINKS_MAX, offset: 0 });
  return { count, areMore: count === COUNTED_LINKS_MAX || !isEnd };
}

/** How many of the links that one request looks at match, up to a limit, and the id of the one at `offset`, the newest at 0; null if none. */
export async function findPlace(
  db: Db<"maybeOne" | "one">,
  selection: LinkSelection & { userId: number },
  { limit, offset }: { limit: number; offset: number },
) {
  const page: LinksPage = { ...selection, limit, order: "newest" };
  const end = await searchEnd(db, page);
  const place = await db.one(sql.type(z.object({ count: z.int(), id: z.nullable(z.int()) }))`
    SELECT count(*)::int AS count, (array_agg(id ORDER BY id DESC))[${offset + 1}] AS id
    FROM (${linkIds(page, end)}) AS link
  `);
  return { ...place, isEnd: end === null };
}

export interface LinksPageDependencies {
  db: Db<"any" | "maybeOne">;
  reports: Db<"any" | "maybeOne" | "oneFirst">;
  publicBaseUrl: string;
  logger: Logger;
}

/** @returns the links of a page, and the `cursor` of the next; null on the last page */
export async function userLinksPage(
  deps: LinksPageDependencies,
  caller: Caller,
  query: z.output<typeof listLinksCall.query>,
): Promise<{ links: Link[]; nextCursor: string | null }> {
  const { publicBaseUrl, reports } = deps;
  const { limit, cursor, sort: order, tz, ...conditions } = query;
  const values = await valuesOf(deps, caller, order, tz);
  const page = { ...conditions, userId: caller.userId, limit, cursor, order, values };
  const { links, next } = await listLinks(values === undefined ? deps : { ...deps, db: reports }, page);
  return {
    links: links.map((row) => linkReply(row, publicBaseUrl)),
    nextCursor: next ? cursorText(next) : null,
  };
}

function cursorText({ id, sortValue }: { id: number; sortValue: string | null }): string {
  return sortValue === null ? String(id) : `${id}~${sortValue}`;
}

/** The values by which links are put in order, which the caller must be allowed to read. */
async function valuesOf(
  { reports }: LinksPageDependencies,
  { userId, scopes }: Caller,
  order: LinkOrder,
  tz: string,
): Promise<FragmentSqlToken | undefined> {
  if (order === "newest" || order === "name") return undefined;
  requireScope(scopes, order === "earnings" ? "earnings:read" : "clicks:read");
  if (order !== "earnings") {
    const rank = order === "clicks" ? "people" : "last-day";
    const { range } = await summedDays(reports, userId, recentRange(tz));
    return rankQuery({ userId, ...range, rank, limit: LINKS_SORTED_MAX_COUNT });
  }
  const largest = await earningsRank(reports, userId);
  return sql.fragment`
    SELECT * FROM ${sql.unnest(
      largest.map(({ linkId, value }) => [linkId, value]),
      ["int8", "int8"],
    )} AS earned (link_id, value)
  `;
}

/**
 * One page of the user's links. BETWEEN makes Postgres use the index of the order (`links_user_id_id_idx`,
 * `links_user_id_sort_name_id_idx`). For an equality it may use the primary key and read the links of all users, if it
 * estimates that the user has many links. Conditions are checked on the links in index order.
 * In an order by value, the links with a value are looked up one by one (OFFSET 0) until the page is full, and the others follow,
 * newest first: a NOT IN keeps the order of the index.
 * @param end the last link to look at
 */
export function linksPageQuery(page: LinksPage, end?: LinksPage["cursor"] | null) {
  const { limit, order, cursor, values, ...conditions } = page;
  const { value, by } = orderOf(page);
  const links = isByValue(page)
    ? sql.fragment`(${inOrderOfValue(values)}) AS counted CROSS JOIN LATERAL (
        SELECT * FROM links WHERE id = counted.link_id OFFSET 0
      ) AS link`
    : sql.fragment`links AS link`;
  const others =
    values === undefined || isByValue(page)
      ? sql.fragment`TRUE`
      : sql.fragment`link.id NOT IN (SELECT link_id FROM (${values}) AS counted)`;
  return sql.type(ListedLink)`
    SELECT ${linkColumns}, ${value} AS "sortValue"
    FROM ${links} LEFT JOIN products product USING (canonical_url)
    WHERE ${within(page, end)} AND ${others} AND ${matching(page.userId, conditions)}
    ORDER BY ${by}
    LIMIT ${limit}
  `;
}

const inOrderOfValue = (values = sql.fragment``): FragmentSqlToken => sql.fragment`
  SELECT * FROM (${values}) AS counted ORDER BY value DESC, link_id DESC
`;

/** The last of the next `count` links of the user, with any conditions; null if they have fewer. */
export function findSearchEnd(
  db: Db<"maybeOne">,
  page: Pick<LinksPage, "userId" | "order" | "values" | "cursor">,
  count: number,
) {
  const { value, by } = orderOf(page);
  const links = isByValue(page)
    ? sql.fragment`(${page.values ?? sql.fragment``}) AS counted CROSS JOIN LATERAL (
        SELECT counted.link_id AS id, ${page.userId}::int AS user_id
      ) AS link`
    : sql.fragment`links AS link`;
  return db.maybeOne(sql.type(z.pick(ListedLink, { id: true, sortValue: true }))`
    SELECT link.id, ${value} AS "sortValue" FROM ${links} WHERE ${within(page)}
    ORDER BY ${by} OFFSET ${count - 1} LIMIT 1
  `);
}

type OrderedPage = Pick<LinksPage, "userId" | "order" | "values" | "cursor">;

function orderOf(page: OrderedPage): Order {
  if (page.values === undefined) return page.order === "name" ? BY_NAME : NEWEST;
  return page.cursor?.sortValue === "" ? NEWEST : BY_VALUE;
}

function within(page: OrderedPage, end?: LinksPage["cursor"] | null): ListSqlToken {
  const { userId, cursor } = page;
  const order = orderOf(page);
  const { key, keyOf, isDescending } = order;
  return sql.join(
    [
      sql.fragment`link.user_id BETWEEN ${userId} AND ${userId}`,
      // The condition of the partial index.
      ...(order === BY_NAME ? [sql.fragment`link.sort_name IS NOT NULL`] : []),
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

const NEWEST: Order = {
  value: sql.fragment`NULL`,
  key: sql.fragment`link.id`,
  keyOf: ({ id }) => sql.fragment`${id}`,
  isDescending: true,
  by: sql.fragment`link.user_id DESC, link.id DESC`,
};

const BY_NAME: Order = {
  value: sql.fragment`link.sort_name`,
  key: sql.fragment`(link.sort_name, link.id)`,
  keyOf: ({ id, sortValue }) => sql.fragment`(${sortValue}, ${id})`,
  isDescending: false,
  by: sql.fragment`link.user_id, link.sort_name, link.id`,
};

const BY_VALUE: Order = {
  value: sql.fragment`counted.value::text`,
  key: sql.fragment`(counted.value, counted.link_id)`,
  keyOf: ({ id, sortValue }) => sql.fragment`(${sortValue}::text::bigint, ${id})`,
  isDescending: true,
  by: sql.fragment`counted.value DESC, counted.link_id DESC`,
};

const LinkId = z.object({ id: z.int() });

/** The ids of matching links, newest first, in the order of the index as in `linksPageQuery`. */
async function findLinkIds(db: Db<"any">, page: LinksPage, end?: LinksPage["cursor"] | null): Promise<number[]> {
  const rows = await db.any(sql.type(LinkId)`${linkIds(page, end)}`);
  return rows.map(({ id }) => id);
}

function linkIds(page: LinksPage, end?: LinksPage["cursor"] | null): FragmentSqlToken {
  const { limit, ...conditions } = page;
  return sql.fragment`
    SELECT link.id
    FROM links link LEFT JOIN products product USING (canonical_url)
    WHERE ${within(page, end)} AND ${matching(page.userId, conditions)}
    ORDER BY ${NEWEST.by}
    LIMIT ${limit}
  `;
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
