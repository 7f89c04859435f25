import { attemptItem, type ItemLoop, isNotSetAside } from "@tapthru/runtime/failed-items";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";

/** The outbox is relayed after this number of changes at the latest. */
const MAX_CHANGES = 100;

export interface MassChangeDependencies extends Omit<ItemLoop, "kind"> {
  db: CommonQueryMethods;
}

/** What changes many links: rows with an `id`, in batches of links by `after_id`, the last link that is done. */
interface MassChange {
  table: "take_downs" | "routing_changes" | "channel_tag_changes";
  /** Which rows of `change` may be begun. */
  mayBegin?: FragmentSqlToken;
  /** Changes the next links of a row that it locks. @returns the last one; null: none is left */
  changeLinks(transaction: CommonQueryMethods, id: number): Promise<number | null>;
}

/**
 * Makes one batch of changes of links, or removes changes that have no more links: the oldest first that no other relay works on.
 * One that fails is set aside, and the next one goes on.
 * @returns whether more may be left
 */
export async function changeInBatches(
  { db, ...loop }: MassChangeDependencies,
  { table, mayBegin = sql.fragment`TRUE`, changeLinks }: MassChange,
): Promise<boolean> {
  const name = sql.identifier([table]);
  const kind = table.replaceAll("_", "-");

  const findNext = () =>
    db.maybeOneFirst(sql.type(z.object({ id: z.int() }))`
      SELECT id FROM ${name} AS change
      WHERE ${isNotSetAside(kind, sql.fragment`change.id`)} AND ${mayBegin}
      ORDER BY id LIMIT 1
      FOR UPDATE SKIP LOCKED
    `);

  const changeBatch = (id: number) =>
    db.transaction(async (transaction) => {
      const lastId = await changeLinks(transaction, id);
      await transaction.query(
        lastId === null
          ? sql.type(z.object({}))`DELETE FROM ${name} WHERE id = ${id}`
          : sql.type(z.object({}))`UPDATE ${name} SET after_id = ${lastId} WHERE id = ${id}`,
      );
      return lastId !== null;
    });

  for (let i = 0; i < MAX_CHANGES; i++) {
    const id = await findNext();
    if (id === null) return false;
    if (await attemptItem({ ...loop, db, kind }, id, () => changeBatch(id))) return true;
  }
  return true;
}
