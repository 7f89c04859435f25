import type { LinkOrder } from "@tapthru/proto/http/links";
import { assignOwnerFields, type OwnerValues } from "@tapthru/runtime/links/owner-columns";
import { insertLinkChanges, retireDeletedLinks } from "@tapthru/runtime/outbox";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { hostOfLink, type LinkConditions, matching } from "./link-conditions.ts";
import { LinkRow, linkColumns, RecordedLinkRow, recordedLinkColumns } from "./link-row.ts";

export interface LinksPage extends LinkConditions {
  userId: number;
  limit: number;
  order: LinkOrder;
  /** The people of each link, by its id, in the order `clicks`; links without people may be absent. */
  people?: ReadonlyMap<number, number> | undefined;
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
 */
export function linksPageQuery({ userId, limit, order, people, cursor, ...conditions }: LinksPage) {
  const { value, isAfter, by } = ORDERS[order](cursor);
  return sql.type(ListedLink)`
    SELECT ${linkColumns}, ${value} AS "sortValue"
    FROM links link LEFT JOIN products product USING (canonical_url)
    ${order === "clicks" ? joinPeople(people ?? new Map()) : sql.fragment``}
    WHERE link.user_id BETWEEN ${userId} AND ${userId} AND ${isAfter} AND ${matching(userId, conditions)}
    ORDER BY ${by}
    LIMIT ${limit}
  `;
}

const ORDERS: Record<
  LinkOrder,
  (cursor: LinksPage["cursor"]) => Record<"value" | "isAfter" | "by", FragmentSqlToken>
> = {
  newest: (cursor) => ({
    value: sql.fragment`NULL`,
    isAfter: cursor ? sql.fragment`link.id < ${cursor.id}` : sql.fragment`TRUE`,
    by: sql.fragment`link.user_id, link.id DESC`,
  }),
  name: (cursor) => ({
    value: sql.fragment`link.sort_name`,
    // The first condition is the one of the partial index.
    isAfter: sql.fragment`link.sort_name IS NOT NULL ${
      cursor
        ? sql.fragment`AND (link.sort_name, link.id) > (${cursor.sortValue}, ${cursor.id})`
        : sql.fragment``
    }`,
    by: sql.fragment`link.user_id, link.sort_name, link.id`,
  }),
  clicks: (cursor) => ({
    value: sql.fragment`coalesce(counted.people, 0)::text`,
    isAfter: cursor
      ? sql.fragment`(coalesce(counted.people, 0), link.id) < (${cursor.sortValue}::text::bigint, ${cursor.id})`
      : sql.fragment`TRUE`,
    by: sql.fragment`coalesce(counted.people, 0) DESC, link.id DESC`,
  }),
};

function joinPeople(people: ReadonlyMap<number, number>): FragmentSqlToken {
  return sql.fragment`LEFT JOIN unnest(
    ${sql.array([...people.keys()], "int8")}, ${sql.array([...people.values()], "int8")}
  ) AS counted (link_id, people) ON counted.link_id = link.id`;
}

const LinkId = z.object({ id: z.int() });

/** The ids of matching links, newest first, in the order of the index as in `linksPageQuery`. */
export async function findLinkIds(
  db: Db<"any">,
  {
    userId,
    before,
    limit,
    ...conditions
  }: LinkConditions & { userId: number; before?: number | undefined; limit: number },
): Promise<number[]> {
  const rows = await db.any(sql.type(LinkId)`
    SELECT link.id
    FROM links link LEFT JOIN products product USING (canonical_url)
    WHERE link.user_id BETWEEN ${userId} AND ${userId}
      AND ${before === undefined ? sql.fragment`TRUE` : sql.fragment`link.id < ${before}`}
      AND ${matching(userId, conditions)}
    ORDER BY link.user_id, link.id DESC
    LIMIT ${limit}
  `);
  return rows.map(({ id }) => id);
}

const LinkHost = z.object({ host: z.string() });

/** The hosts that the user's links lead to, each once. */
export function findLinkHosts(db: Db<"any">, userId: number) {
  return db.any(sql.type(LinkHost)`
    SELECT DISTINCT ${hostOfLink} AS host FROM links link WHERE link.user_id = ${userId}
  `);
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
