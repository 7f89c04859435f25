import { bytes } from "@tapthru/runtime/postgres/values";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { type BatchResult, changeInBatches } from "./change-in-batches.ts";

/** Links per transaction. */
export const TAKEN_DOWN_LINKS_BATCH = 500;

/**
 * Takes the links of a user or a network address down, or lets those work again that were taken down with it. Their outbox rows are
 * relayed like all others.
 * @returns whether more may be left
 */
export function changeTakenDownLinks({ db }: { db: CommonQueryMethods }): Promise<boolean> {
  return changeInBatches(db, changeBatch);
}

/** Changes one batch of links; removes the row when it has no more. */
async function changeBatch(transaction: CommonQueryMethods): Promise<BatchResult> {
  const takeDown = await lockTakeDown(transaction);
  if (takeDown === null) return "none";
  const ids = await findLinks(transaction, takeDown);
  const lastId = ids.at(-1);
  if (lastId === undefined) {
    await transaction.query(
      sql.type(z.object({}))`DELETE FROM take_downs WHERE id = ${takeDown.id}`,
    );
    return "removed";
  }
  const { isTakenDown, userId } = takeDown;
  const cause = userId === null ? "address" : "user";
  await transaction.query(sql.type(z.object({ count: z.int() }))`
    SELECT decide_about_links(
      ${sql.array(ids, "int8")}, ${isTakenDown ? "taken-down" : null}, ${isTakenDown ? cause : null}
    ) AS count
  `);
  await transaction.query(sql.type(z.object({}))`
    UPDATE take_downs SET after_id = ${lastId} WHERE id = ${takeDown.id}
  `);
  return "links";
}

const TakeDown = z.object({
  id: z.int(),
  userId: z.nullable(z.int()),
  addressHash: z.nullable(bytes),
  isTakenDown: z.boolean(),
  /** Links up to this one are done. */
  afterId: z.int(),
});
type TakeDown = z.infer<typeof TakeDown>;

/** The oldest one. Waits for another relay: a later row may undo an earlier one. */
function lockTakeDown(transaction: CommonQueryMethods): Promise<TakeDown | null> {
  return transaction.maybeOne(sql.type(TakeDown)`
    SELECT id, user_id AS "userId", address_hash AS "addressHash", is_taken_down AS "isTakenDown",
      after_id AS "afterId"
    FROM take_downs ORDER BY id LIMIT 1 FOR UPDATE
  `);
}

/** The next links that are to be changed, by id. */
async function findLinks(
  transaction: CommonQueryMethods,
  { userId, addressHash, isTakenDown, afterId }: TakeDown,
): Promise<number[]> {
  const isChanged = isTakenDown
    ? sql.fragment`taken_down_at IS NULL`
    : sql.fragment`taken_down_with = ${userId === null ? "address" : "user"}`;
  const rows = await transaction.any(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM links WHERE id > ${afterId} AND ${isOfOne(userId, addressHash)} AND ${isChanged}
    ORDER BY id LIMIT ${TAKEN_DOWN_LINKS_BATCH}
    FOR NO KEY UPDATE
  `);
  return rows.map(({ id }) => id);
}

function isOfOne(userId: number | null, addressHash: Uint8Array | null): FragmentSqlToken {
  if (addressHash === null) return sql.fragment`user_id = ${userId}`;
  return sql.fragment`id IN (
    SELECT CASE WHEN action = 'link.created' THEN object_id::bigint END FROM audit_log
    WHERE address_hash = ${sql.binary(Buffer.from(addressHash))} AND action = 'link.created'
  )`;
}
