import type { LinkOrder } from "@tapthru/proto/http/links";
import { insertLinkChanges, retireDeletedLinks } from "@tapthru/runtime/link-changes";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { hostOfLink, type LinkConditions, matching } from "./link-conditions.ts";
import { LinkRow, linkColumns } from "./link-row.ts";

export interface LinksPage extends LinkConditions {
  userId: number;
  limit: number;
  order: LinkOrder;
  /** The last link on the previous page; `sortName` is null in the order `newest`. */
  cursor?: { id: number; sortName: string | null } | undefined;
}

const ListedLink = z.extend(LinkRow, { sortName: z.nullable(z.string()) });
export type ListedLink = z.infer<typeof ListedLink>;

/**
 * One page of the user's links. BETWEEN makes Postgres use the index of the order (`links_user_id_id_idx`,
 * `links_user_id_sort_name_id_idx`). For an equality it may use the primary key and read the links of all users, if it
 * estimates that the user has many links. Conditions are checked on the links in index order.
 */
export function linksPageQuery({ userId, limit, order, cursor, ...conditions }: LinksPage) {
  const { isAfter, by } = ORDERS[order](cursor);
  return sql.type(ListedLink)`
    SELECT ${linkColumns}, link.sort_name AS "sortName"
    FROM links link LEFT JOIN products product USING (canonical_url)
    WHERE link.user_id BETWEEN ${userId} AND ${userId} AND ${isAfter} AND ${matching(conditions)}
    ORDER BY ${by}
    LIMIT ${limit}
  `;
}

const ORDERS: Record<
  LinkOrder,
  (cursor: LinksPage["cursor"]) => Record<"isAfter" | "by", FragmentSqlToken>
> = {
  newest: (cursor) => ({
    isAfter: cursor ? sql.fragment`link.id < ${cursor.id}` : sql.fragment`TRUE`,
    by: sql.fragment`link.user_id, link.id DESC`,
  }),
  name: (cursor) => ({
    // The first condition is the one of the partial index.
    isAfter: sql.fragment`link.sort_name IS NOT NULL ${
      cursor
        ? sql.fragment`AND (link.sort_name, link.id) > (${cursor.sortName}, ${cursor.id})`
        : sql.fragment``
    }`,
    by: sql.fragment`link.user_id, link.sort_name, link.id`,
  }),
};

const LinkHost = z.object({ host: z.string() });

/** The hosts that the user's links lead to, each once. */
export function findLinkHosts(
  db: Pick<CommonQueryMethods, "any">,
  userId: number,
): Promise<readonly z.infer<typeof LinkHost>[]> {
  return db.any(sql.type(LinkHost)`
    SELECT DISTINCT ${hostOfLink} AS host FROM links link WHERE link.user_id = ${userId}
  `);
}

export function findOwnLink(
  db: Pick<CommonQueryMethods, "maybeOne">,
  { userId, shortCode }: { userId: number; shortCode: string },
): Promise<LinkRow | null> {
  return db.maybeOne(sql.type(LinkRow)`
    SELECT ${linkColumns}
    FROM links link LEFT JOIN products product USING (canonical_url)
    WHERE link.short_code = ${shortCode} AND link.user_id = ${userId}
  `);
}

/** Omitted fields are not changed. */
export interface LinkEdit {
  nickname?: string | undefined;
  title?: string | undefined;
}

/** @returns null if the user has no such link or it was taken down */
export function editLink(
  db: Pick<CommonQueryMethods, "maybeOne">,
  { userId, shortCode }: { userId: number; shortCode: string },
  { nickname, title }: LinkEdit,
): Promise<LinkRow | null> {
  return db.maybeOne(sql.type(LinkRow)`
    WITH link AS (
      UPDATE links
      SET nickname = coalesce(${nickname ?? null}, nickname),
        title = coalesce(${title ?? null}, title),
        revision = revision + 1
      WHERE short_code = ${shortCode} AND user_id = ${userId} AND taken_down_at IS NULL
      RETURNING *
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT ${linkColumns} FROM link LEFT JOIN products product USING (canonical_url)
  `);
}

const RetiredLink = z.object({ id: z.int(), shortCode: z.string(), revision: z.int() });
export type RetiredLink = z.infer<typeof RetiredLink>;

/** Deletes those of the links that the user owns; `revision` is that of the tombstone. */
export function deleteLinks(
  db: Pick<CommonQueryMethods, "any">,
  { userId, ids }: { userId: number; ids: readonly number[] },
): Promise<readonly RetiredLink[]> {
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
