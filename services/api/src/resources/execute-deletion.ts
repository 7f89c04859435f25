import { retireDeletedLinks } from "@tapthru/core/outbox";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { IdentityProvider } from "../callers/identity.ts";
import type { SessionStore } from "../callers/session-store.ts";
import { findWebhooks, removeWebhook } from "./webhook-queries.ts";

export const Deletion = z.object({ userId: z.int(), firebaseUid: z.string() });
export type Deletion = z.infer<typeof Deletion>;

const Nothing = z.object({});
const UserId = z.object({ id: z.int() });
const Count = z.object({ count: z.int() });

export class ProviderUnavailableError extends Error {}

/** Deleting a batch takes well under the statement timeout, also if each link has clicks on 800 days. */
const LINKS_PER_BATCH = 100;
const EARNINGS_PER_BATCH = 10_000;
const ACTIVITY_PER_BATCH = 500;

export interface ExecuteDeletionDependencies {
  db: Db<"any" | "exists" | "maybeOne" | "oneFirst" | "query" | "transaction">;
  identity: Pick<IdentityProvider, "remove">;
  sessionStore: Pick<SessionStore, "endAll">;
}

/**
 * Executes the remaining steps of a requested deletion. Idempotent and safe to run concurrently. Deletes the
 * identity last, so that it exists as long as any other data.
 * @throws if a step fails
 */
export async function executeDeletion(deps: ExecuteDeletionDependencies, deletion: Deletion): Promise<void> {
  const { db, identity, sessionStore } = deps;
  const { userId, firebaseUid } = deletion;
  // Before the links, so that no events of their deletion are recorded.
  for (const { id } of await findWebhooks(db, userId)) await removeWebhook(db, { userId, id });
  await removeEarningsImports(db, userId);
  while (await deleteSomeEarnings(db, { userId, limit: EARNINGS_PER_BATCH }));
  while (!(await deleteBatch(db, userId)));
  await removeActivityContent(db, userId);
  await sessionStore.endAll(deletion);
  if ((await identity.remove(firebaseUid)) === "unavailable") {
    throw new ProviderUnavailableError("The identity provider is unavailable");
  }
  await markDeletionDone(db, deletion);
}

async function removeActivityContent(db: Db<"oneFirst">, userId: number): Promise<void> {
  let afterId: number | null = 0;
  while (afterId !== null) {
    afterId = await removeSomeActivityContent(db, { userId, afterId, limit: ACTIVITY_PER_BATCH });
  }
}

/** Deletes a batch of links, and the user with the last batch. @returns whether the user was deleted */
function deleteBatch(db: ExecuteDeletionDependencies["db"], userId: number): Promise<boolean> {
  return db.transaction(async (transaction) => {
    if (!(await lockUserForDeletion(transaction, userId))) return true;
    const found = await deleteSomeLinks(transaction, { userId, limit: LINKS_PER_BATCH });
    if (found === LINKS_PER_BATCH) return false;
    await deleteUser(transaction, userId);
    return true;
  });
}

/** Keeps the rows. @returns the id of the last one; null: none are left */
function removeSomeActivityContent(
  db: Db<"oneFirst">,
  { userId, afterId, limit }: { userId: number; afterId: number; limit: number },
): Promise<number | null> {
  return db.oneFirst(sql.type(z.object({ id: z.nullable(z.int()) }))`
    SELECT remove_activity_content(${userId}, ${afterId}, ${limit}) AS id
  `);
}

/** Prevents new links of the user until the transaction ends. @returns false if the user no longer exists */
async function lockUserForDeletion(transaction: Db<"maybeOne">, userId: number): Promise<boolean> {
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
function deleteSomeLinks(transaction: Db<"oneFirst">, { userId, limit }: { userId: number; limit: number }) {
  return transaction.oneFirst(sql.type(Count)`
    WITH found AS (
      SELECT id FROM all_links WHERE user_id BETWEEN ${userId} AND ${userId}
      ORDER BY user_id, id LIMIT ${limit}
    ), locked AS (
      SELECT id FROM all_links WHERE id IN (SELECT id FROM found) ORDER BY id FOR UPDATE
    ), link AS (
      DELETE FROM all_links USING locked WHERE all_links.id = locked.id
      RETURNING all_links.short_code, all_links.revision + 1 AS revision, 'deleted' AS reason
    ), ${retireDeletedLinks}
    SELECT count(*)::int AS count FROM found
  `);
}

/** Keeps the worker from reading the user's files, or adding rows of them. */
async function removeEarningsImports(db: Db<"query">, userId: number) {
  await db.query(sql.type(Nothing)`
    UPDATE earnings_imports SET state = 'removed', stored_at = NULL, reader = NULL
    WHERE user_id = ${userId} AND state <> 'removed'
  `);
}

/** Deletes at most `limit` rows of reports, and as many names of products. @returns whether there were any */
function deleteSomeEarnings(db: Db<"oneFirst">, { userId, limit }: { userId: number; limit: number }) {
  return db.oneFirst(changing(z.object({ found: z.boolean() }))`
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
async function deleteUser(transaction: Db<"query">, userId: number) {
  await transaction.query(sql.type(Nothing)`
    DELETE FROM users WHERE id = ${userId}
  `);
}

async function markDeletionDone(db: Db<"query">, { firebaseUid }: Pick<Deletion, "firebaseUid">) {
  await db.query(sql.type(Nothing)`
    UPDATE account_deletions SET done_at = now()
    WHERE firebase_uid = ${firebaseUid} AND done_at IS NULL
  `);
}
