import { attemptItem, type ItemLoop, isNotSetAside } from "@tapthru/core/platform/failed-items";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";

/** The outbox is relayed after this number of changes at the latest. */
const MAX_CHANGES = 100;

export interface MassChangeDependencies extends Omit<ItemLoop, "kind"> {
  db: CommonQueryMethods;
}

/** What changes many links: rows with an `id`. */
interface MassChange {
  /** In logs and in `failed_items`. */
  kind: string;
  table: string;
  /** Which rows of `change` may be begun. */
  mayBegin?: FragmentSqlToken;
  /** Locks a row, and changes its next links, or removes the row if none is left. @returns whether it changed links */
  changeBatch(transaction: CommonQueryMethods, id: number): Promise<boolean>;
}

/**
 * Makes one batch of changes of links, or removes changes that have no more links: the oldest first that no other relay works on.
 * One that fails is set aside, and the next one goes on.
 * @returns whether more may be left
 */
export async function changeInBatches(
  { db, ...loop }: MassChangeDependencies,
  { kind, table, mayBegin = sql.fragment`TRUE`, changeBatch }: MassChange,
): Promise<boolean> {
  const findNext = () =>
    db.maybeOneFirst(sql.type(z.object({ id: z.int() }))`
      SELECT id FROM ${sql.identifier([table])} AS change
      WHERE ${isNotSetAside(kind, sql.fragment`change.id`)} AND ${mayBegin}
      ORDER BY id LIMIT 1
      FOR UPDATE SKIP LOCKED
    `);

  for (let i = 0; i < MAX_CHANGES; i++) {
    const id = await findNext();
    if (id === null) return false;
    const attempt = () => db.transaction((transaction) => changeBatch(transaction, id));
    if (await attemptItem({ ...loop, db, kind }, id, attempt)) return true;
  }
  return true;
}

/**
 * Stores up to which link a row is done.
 * @param lastId null: no link is left, and the row is removed @returns whether links may be left
 */
export async function continueAfter(
  transaction: CommonQueryMethods,
  { table, id }: { table: string; id: number },
  lastId: number | null,
): Promise<boolean> {
  const name = sql.identifier([table]);
  await transaction.query(
    lastId === null
      ? sql.type(z.object({}))`DELETE FROM ${name} WHERE id = ${id}`
      : sql.type(z.object({}))`UPDATE ${name} SET after_id = ${lastId} WHERE id = ${id}`,
  );
  return lastId !== null;
}
