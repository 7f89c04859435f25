import { assignOwnerFields, type OwnerValues } from "@tapthru/core/links/owner-columns";
import { insertLinkChanges, retireDeletedLinks } from "@tapthru/core/outbox";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { LinkOrder } from "@tapthru/proto/http/links";
import {
  isMarketplace,
  MARKETPLACES,
  type Marketplace,
} from "@tapthru/proto/rules/amazon/marketplaces";
import { type FragmentSqlToken, type ListSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { type LinkConditions, matching } from "./link-conditions.ts";
import { LinkRow, linkColumns, RecordedLinkRow, recordedLinkColumns } from "./link-row.ts";

export interface LinksPage extends LinkConditions {
  userId: number;
  limit: number;
  order: LinkOrder;
  /** In the order `clicks`: a query of `link_id` and `people`; links without people may be absent. */
  people?: FragmentSqlToken | undefined;
  /** The last link on the previous page; `sortValue` is null in the order `newest`. */
  cursor?: { id: number; sortValue: string | null } | undefined;
}

export const ListedLink = z.extend(LinkRow, {
  /** The name, or the number of people. */
  sortValue: z.nullable(z.string()),
});
export type ListedLink = z.infer<typeof ListedLink>;

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
export async function findLinkIds(
  db: Db<"any">,
  page: LinksPage,
  end?: LinksPage["cursor"] | null,
): Promise<number[]> {
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

/** @param link with a current or earlier code */
export function findOwnLink(
  db: Db<"maybeOne">,
  { userId, shortCode }: { userId: number; shortCode: string },
) {
  return db.maybeOne(sql.type(LinkRow)`
    SELECT ${linkColumns}
    FROM links link LEFT JOIN products product USING (canonical_url)
    WHERE link.id = find_link_id(${shortCode}) AND link.user_id = ${userId}
  `);
}

/** Fields that are not in `edit` are not changed. @returns null if the user has no such link or it was taken down */
export function editLink(
  db: Db<"maybeOne">,
  { userId, shortCode }: { userId: number; shortCode: string },
  edit: OwnerValues,
): Promise<RecordedLinkRow | null> {
  const assignments = [...assignOwnerFields(edit), sql.fragment`revision = revision + 1`];
  return db.maybeOne(sql.type(RecordedLinkRow)`
    WITH link AS (
      UPDATE links SET ${sql.join(assignments, sql.fragment`, `)}
      WHERE id = find_link_id(${shortCode}) AND user_id = ${userId} AND taken_down_at IS NULL
      RETURNING *
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT ${recordedLinkColumns} FROM link LEFT JOIN products product USING (canonical_url)
  `);
}

const RetiredLink = z.object({ id: z.int(), shortCode: z.string(), revision: z.int() });

/** Deletes those of the links that the user owns; `revision` is that of the tombstone. */
export function deleteLinks(
  db: Db<"any">,
  { userId, ids }: { userId: number; ids: readonly number[] },
) {
  return db.any(sql.type(RetiredLink)`
    WITH own AS (
      SELECT id FROM links WHERE id = ANY(${sql.array(ids, "int8")}) AND user_id = ${userId}
      ORDER BY id
      FOR UPDATE
    ), link AS (
      DELETE FROM links USING own WHERE links.id = own.id
      RETURNING links.id, short_code, revision + 1 AS revision, 'deleted' AS reason
    ), ${retireDeletedLinks}
    SELECT id, short_code AS "shortCode", revision FROM link
  `);
}
