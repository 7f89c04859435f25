import { decideAboutLinks, linksToChange } from "@tapthru/core/links/taken-down-links";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import {
  changeInBatches,
  continueAfter,
  type MassChangeDependencies,
} from "./change-in-batches.ts";

/** Links per transaction. */
export const TAKEN_DOWN_LINKS_BATCH = 500;

/**
 * Takes the links of a user or a network address down, or lets those work again that were taken down with it. Their outbox rows are
 * relayed like all others.
 * @returns whether more may be left
 */
export function changeTakenDownLinks(deps: MassChangeDependencies): Promise<boolean> {
  const table = "take_downs";
  return changeInBatches(deps, {
    kind: "change-taken-down-links",
    table,
    // A later row may undo an earlier one.
    mayBegin: sql.fragment`NOT EXISTS (
      SELECT FROM take_downs AS earlier WHERE earlier.id < change.id
        AND (earlier.user_id, earlier.address_hash) IS NOT DISTINCT FROM (change.user_id, change.address_hash)
    )`,
    async changeBatch(transaction, id) {
      const takeDown = await lockTakeDown(transaction, id);
      if (takeDown === null) return false;
      const ids = await findLinks(transaction, takeDown);
      const { isTakenDown, links } = takeDown;
      await decideAboutLinks(transaction, ids, isTakenDown ? "taken-down" : null, links.cause);
      return continueAfter(transaction, { table, id }, ids.at(-1) ?? null);
    },
  });
}

const TakeDown = z.object({
  links: z.union([
    z.object({ cause: z.enum(["user", "owner"]), userId: z.int() }),
    z.object({ cause: z.literal("address"), addressHash: z.string() }),
  ]),
  isTakenDown: z.boolean(),
  /** Links up to this one are done. */
  afterId: z.int(),
});
type TakeDown = z.infer<typeof TakeDown>;

function lockTakeDown(transaction: CommonQueryMethods, id: number) {
  return transaction.maybeOne(sql.type(TakeDown)`
    SELECT is_taken_down AS "isTakenDown", after_id AS "afterId", jsonb_build_object(
      'cause', cause, 'userId', user_id, 'addressHash', encode(address_hash, 'hex')
    ) AS links
    FROM take_downs WHERE id = ${id} FOR UPDATE
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
