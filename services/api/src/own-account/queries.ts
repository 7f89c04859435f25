import { retireDeletedLinks } from "@tapthru/core/outbox";
import { recordAction } from "@tapthru/core/platform/audit-log";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { ACCOUNT_DELETION_RETENTION_MS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import { lockOperators } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";

/** An account that is being deleted. */
const Deletion = z.object({ userId: z.int(), firebaseUid: z.string() });
export type Deletion = z.infer<typeof Deletion>;

const UserId = z.object({ id: z.int() });
const Count = z.object({ count: z.int() });

/**
 * Blocks further logins to the account. Idempotent.
 * @throws ApiError (last-operator) if other users would have no operator
 */
export async function requestDeletion(db: Db<"transaction">, { userId, firebaseUid }: Deletion): Promise<void> {
  await db.transaction(async (transaction) => {
    const [operator, ...others] = await lockOperators(transaction);
    const isLast = operator === userId && others.length === 0;
    if (isLast && (await hasOtherUsers(transaction, userId))) throw new ApiError("last-operator");
    const { rowCount } = await transaction.query(sql.type(z.object({}))`
      INSERT INTO account_deletions (firebase_uid, user_id) VALUES (${firebaseUid}, ${userId})
      ON CONFLICT DO NOTHING
    `);
    const account = { objectId: String(userId), object: "", ownerId: userId };
    if (rowCount > 0) await recordAction(transaction, { action: "account.deleted", ...account });
  });
}

function hasOtherUsers(db: Db<"exists">, userId: number): Promise<boolean> {
  return db.exists(sql.type(z.object({}))`
    SELECT FROM users WHERE id <> ${userId}
      AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  `);
}

/**
 * Removes what some rows of the audit log after this one say about the user, and keeps the rows.
 * @returns the last one's id; null: none are left
 */
export function removeSomeActivityContent(
  db: Db<"oneFirst">,
  { userId, afterId, limit }: { userId: number; afterId: number; limit: number },
): Promise<number | null> {
  return db.oneFirst(sql.type(z.object({ id: z.nullable(z.int()) }))`
    SELECT remove_activity_content(${userId}, ${afterId}, ${limit}) AS id
  `);
}

export function findUnfinishedDeletions(db: Db<"any">) {
  return db.any(sql.type(Deletion)`
    SELECT user_id AS "userId", firebase_uid AS "firebaseUid" FROM account_deletions
    WHERE done_at IS NULL ORDER BY requested_at
  `);
}

/** Prevents new links of the user until the transaction ends. @returns false if the user no longer exists */
export async function lockUserForDeletion(transaction: Db<"maybeOne">, userId: number): Promise<boolean> {
  const user = await transaction.maybeOne(sql.type(UserId)`
    SELECT id FROM users WHERE id = ${userId} FOR UPDATE
  `);
  return user !== null;
}

/**
 * Deletes at most `limit` links of a user, retires their codes and writes the changes into the outbox.
 * Locks them in the order of their ids, like all other statements, to avoid deadlocks. BETWEEN selects the index, as
 * in `links/list-links.ts`.
 * @returns how many were deleted; fewer than `limit` means that none are left
 */
export function deleteSomeLinks(transaction: Db<"oneFirst">, { userId, limit }: { userId: number; limit: number }) {
  return transaction.oneFirst(sql.type(Count)`
    WITH found AS (
      SELECT id FROM links WHERE user_id BETWEEN ${userId} AND ${userId}
      ORDER BY user_id DESC, id LIMIT ${limit}
    ), locked AS (
      SELECT id FROM links WHERE id IN (SELECT id FROM found) ORDER BY id FOR UPDATE
    ), link AS (
      DELETE FROM links USING locked WHERE links.id = locked.id
      RETURNING links.short_code, links.revision + 1 AS revision, 'deleted' AS reason
    ), ${retireDeletedLinks}
    SELECT count(*)::int AS count FROM found
  `);
}

/** Keeps the worker from reading the user's files, or adding rows of them. */
export async function removeEarningsImports(db: Db<"query">, userId: number) {
  await db.query(sql.type(z.object({}))`
    UPDATE earnings_imports SET state = 'removed', stored_at = NULL, reader = NULL
    WHERE user_id = ${userId} AND state <> 'removed'
  `);
}

/** Deletes at most `limit` rows of reports, and as many names of products. @returns whether there were any */
export function deleteSomeEarnings(db: Db<"oneFirst">, { userId, limit }: { userId: number; limit: number }) {
  return db.oneFirst(sql.type(z.object({ found: z.boolean() }))`
    WITH item AS (
      DELETE FROM earnings_rows WHERE ctid = ANY (ARRAY(
        SELECT item.ctid FROM earnings_reports AS report JOIN earnings_rows AS item ON item.report_id = report.id
        WHERE report.user_id = ${userId} LIMIT ${limit}
      )) RETURNING 1
    ), product AS (
      DELETE FROM earnings_products WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM earnings_products WHERE user_id = ${userId} LIMIT ${limit}
      )) RETURNING 1
    )
    SELECT EXISTS (SELECT FROM item) OR EXISTS (SELECT FROM product) AS found
  `);
}

/** Deletes a user and all dependent rows except links, which must be deleted before. */
export async function deleteUser(transaction: Db<"query">, userId: number) {
  await transaction.query(sql.type(z.object({}))`
    DELETE FROM users WHERE id = ${userId}
  `);
}

export async function markDeletionDone(db: Db<"query">, { firebaseUid }: Pick<Deletion, "firebaseUid">) {
  await db.query(sql.type(z.object({}))`
    UPDATE account_deletions SET done_at = now()
    WHERE firebase_uid = ${firebaseUid} AND done_at IS NULL
  `);
}

export async function purgeOldDeletions(db: Db<"query">) {
  await db.query(sql.type(z.object({}))`
    DELETE FROM account_deletions
    WHERE done_at < now() - ${milliseconds(ACCOUNT_DELETION_RETENTION_MS)}
  `);
}
