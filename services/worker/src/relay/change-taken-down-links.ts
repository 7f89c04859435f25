import { decideAboutLinks, linksToChange } from "@tapthru/runtime/links/taken-down-links";
import { type CommonQueryMethods, sql } from "slonik";
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
  const { isTakenDown, links } = takeDown;
  await decideAboutLinks(transaction, ids, isTakenDown ? "taken-down" : null, links.cause);
  await transaction.query(sql.type(z.object({}))`
    UPDATE take_downs SET after_id = ${lastId} WHERE id = ${takeDown.id}
  `);
  return "links";
}

const TakeDown = z.object({
  id: z.int(),
  links: z.union([
    z.object({ cause: z.enum(["user", "owner"]), userId: z.int() }),
    z.object({ cause: z.literal("address"), addressHash: z.string() }),
  ]),
  isTakenDown: z.boolean(),
  /** Links up to this one are done. */
  afterId: z.int(),
});
type TakeDown = z.infer<typeof TakeDown>;

/** The oldest one. Waits for another relay: a later row may undo an earlier one. */
function lockTakeDown(transaction: CommonQueryMethods): Promise<TakeDown | null> {
  return transaction.maybeOne(sql.type(TakeDown)`
    SELECT id, is_taken_down AS "isTakenDown", after_id AS "afterId", jsonb_build_object(
      'cause', cause, 'userId', user_id, 'addressHash', encode(address_hash, 'hex')
    ) AS links
    FROM take_downs ORDER BY id LIMIT 1 FOR UPDATE
  `);
}

/** The next links that are to be changed, by id. */
async function findLinks(
  transaction: CommonQueryMethods,
  { links, isTakenDown, afterId }: TakeDown,
): Promise<number[]> {
  const rows = await transaction.any(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM links WHERE id > ${afterId} AND ${linksToChange(links, isTakenDown)}
    ORDER BY id LIMIT ${TAKEN_DOWN_LINKS_BATCH}
    FOR NO KEY UPDATE
  `);
  return rows.map(({ id }) => id);
}
