import { insertLinkChanges, retireDeletedLinks } from "@tapthru/runtime/link-changes";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { LinkRow, linkColumns } from "./link-row.ts";

export interface LinksPage {
  userId: number;
  limit: number;
  /** Id of the last link on the previous page. */
  cursor?: number | undefined;
  /** Matches nickname, title, address or code, case-insensitively. */
  search?: string | undefined;
}

/**
 * The user's links, newest first. BETWEEN makes Postgres use the index on `user_id`. With an equality it may scan
 * the primary key, and with it the links of all users, if it estimates that the user has many links.
 */
export function linksPageQuery({ userId, limit, cursor, search }: LinksPage) {
  const after = cursor === undefined ? sql.fragment`` : sql.fragment`AND link.id < ${cursor}`;
  const matching = search
    ? sql.fragment`AND strpos(
        lower(concat_ws(E'\\n', link.nickname, coalesce(link.title, product.title),
          link.original_url, link.short_code)),
        lower(${search})
      ) > 0`
    : sql.fragment``;
  return sql.type(LinkRow)`
    SELECT ${linkColumns}
    FROM links link LEFT JOIN products product USING (canonical_url)
    WHERE link.user_id BETWEEN ${userId} AND ${userId} ${after} ${matching}
    ORDER BY link.user_id, link.id DESC
    LIMIT ${limit}
  `;
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

/** @returns null if the user has no such link; `revision` is that of the tombstone */
export function deleteLink(
  db: Pick<CommonQueryMethods, "maybeOne">,
  { userId, id }: { userId: number; id: number },
): Promise<RetiredLink | null> {
  return db.maybeOne(sql.type(RetiredLink)`
    WITH link AS (
      DELETE FROM links WHERE id = ${id} AND user_id = ${userId}
      RETURNING id, short_code, revision + 1 AS revision, 'deleted' AS reason
    ), ${retireDeletedLinks}
    SELECT id, short_code AS "shortCode", revision FROM link
  `);
}
