import { linksOf, recordedDeletion, recordLinks } from "@tapthru/core/events";
import { assignOwnerFields, type OwnerValues } from "@tapthru/core/links/owner-columns";
import { insertLinkChanges } from "@tapthru/core/outbox";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { linkNotFound, linkTakenDown } from "@tapthru/proto/general-errors";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import { LinkRow, linkColumns, RecordedLinkRow, recordedLinkColumns, redirectRecords } from "./link-row.ts";
import type { ProjectLinks } from "./project-links.ts";

export interface ChangeDependencies {
  db: Db<"any" | "maybeOne">;
  projectLinks: ProjectLinks;
}

export interface UserLink {
  userId: number;
  shortCode: string;
}

export async function getLink(db: Db<"any" | "maybeOne">, link: UserLink): Promise<LinkRow> {
  const row = await findOwnLink(db, link);
  if (row === null) throw new ApiError(linkNotFound);
  return row;
}

/** @throws ApiError if the user has no such link, or it was taken down */
export async function findEditableLink(db: Db<"maybeOne">, link: UserLink): Promise<LinkRow> {
  const row = await findOwnLink(db, link);
  if (row === null) throw new ApiError(linkNotFound);
  if (row.takenDown) throw new ApiError(linkTakenDown);
  return row;
}

function findOwnLink(db: Db<"maybeOne">, { userId, shortCode }: UserLink) {
  return db.maybeOne(sql.type(LinkRow)`
    SELECT ${linkColumns}
    FROM links link LEFT JOIN products product USING (canonical_url)
    WHERE link.id = find_link_id(${shortCode}) AND link.user_id = ${userId}
  `);
}

export async function changeOwnerFields(
  transaction: Db<"any" | "maybeOne">,
  link: UserLink,
  edit: OwnerValues,
): Promise<CodeRecord[]> {
  const assignments = [...assignOwnerFields(edit), sql.fragment`revision = revision + 1`];
  const edited = await transaction.maybeOne(sql.type(RecordedLinkRow)`
    WITH link AS (
      UPDATE links SET ${sql.join(assignments, sql.fragment`, `)}
      WHERE id = find_link_id(${link.shortCode}) AND user_id = ${link.userId} AND taken_down_at IS NULL
      RETURNING *
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT ${recordedLinkColumns} FROM link LEFT JOIN products product USING (canonical_url)
  `);
  if (edited !== null) return redirectRecords([edited]);
  await getLink(transaction, link);
  throw new ApiError(linkTakenDown);
}

/** `error`: the code of the error for which it was not changed. */
export interface ItemResult {
  id: number;
  error: string | null;
}

interface LinksOfUser {
  userId: number;
  ids: readonly number[];
}

/** A condition for `links AS link`, for those that the user owns. */
export const linksOfUser = ({ userId, ids }: LinksOfUser) => sql.fragment`${linksOf(ids)} AND link.user_id = ${userId}`;

export async function removeLinks(
  { db, projectLinks }: ChangeDependencies,
  links: LinksOfUser,
  budget: RedisBudget,
): Promise<{ id: number; shortCode: string }[]> {
  const removed = await deleteLinks(db, links);
  const records = removed.map(({ shortCode, revision }) => {
    return { shortCode, record: { state: "gone", revision, reason: "deleted" } as const };
  });
  await projectLinks(records, budget);
  return removed.map(({ id, shortCode }) => ({ id, shortCode }));
}

export async function removeLink(
  deps: ChangeDependencies,
  { userId, id }: { userId: number; id: number },
  budget: RedisBudget,
): Promise<{ id: number; shortCode: string }> {
  const [removed] = await removeLinks(deps, { userId, ids: [id] }, budget);
  if (removed === undefined) throw new ApiError(linkNotFound);
  return removed;
}

export async function restoreLinks(
  { db, projectLinks }: Pick<ChangeDependencies, "projectLinks"> & { db: Db<"any" | "transaction"> },
  { userId, ids }: LinksOfUser,
  budget: RedisBudget,
): Promise<ItemResult[]> {
  const restored = await db.transaction(async (transaction) => {
    const links = linksOf(await unmarkDeleted(transaction, { userId, ids }));
    await recordLinks(transaction, "link.restored", links, async () => {});
    return transaction.any(sql.type(RecordedLinkRow)`
      SELECT ${recordedLinkColumns} FROM links link LEFT JOIN products product USING (canonical_url) WHERE ${links}
    `);
  });
  await projectLinks(redirectRecords(restored), budget);
  const links = await db.any(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM links AS link WHERE ${linksOfUser({ userId, ids })}
  `);
  const own = new Set(links.map(({ id }) => id));
  return ids.map((id) => ({ id, error: own.has(id) ? null : linkNotFound.code }));
}

/** @returns the ids of those that were deleted */
function unmarkDeleted(db: Db<"anyFirst">, { userId, ids }: LinksOfUser) {
  return db.anyFirst(changing(z.object({ id: z.int() }))`
    WITH kept AS MATERIALIZED (
      SELECT id FROM all_links
      WHERE id = ANY(${sql.array(ids, "int8")}) AND user_id = ${userId} AND deleted_at IS NOT NULL
      ORDER BY id FOR UPDATE
    ), link AS (
      UPDATE all_links SET deleted_at = NULL, revision = revision + 1 FROM kept WHERE all_links.id = kept.id
      RETURNING all_links.id, short_code, revision
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT id FROM link
  `);
}

const RetiredLink = z.object({ id: z.int(), shortCode: z.string(), revision: z.int() });

/** Deletes those of the links that the user owns; `revision` is that of the tombstone. */
function deleteLinks(db: Db<"any">, { userId, ids }: LinksOfUser) {
  return db.any(changing(RetiredLink)`
    WITH own AS (
      SELECT * FROM links WHERE id = ANY(${sql.array(ids, "int8")}) AND user_id = ${userId}
      ORDER BY id
      FOR UPDATE
    ), ${recordedDeletion("own")}, key AS (
      DELETE FROM idempotency_keys USING own WHERE idempotency_keys.short_code = own.short_code
    ), health AS (
      DELETE FROM link_health USING own WHERE link_id = own.id
    ), link AS (
      UPDATE all_links SET deleted_at = now(), revision = all_links.revision + 1 FROM own WHERE all_links.id = own.id
      RETURNING all_links.id, all_links.short_code, all_links.revision
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT id, short_code AS "shortCode", revision FROM link
  `);
}
