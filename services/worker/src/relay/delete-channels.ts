import { insertLinkChanges } from "@tapthru/core/outbox";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { changeInBatches, type MassChangeDependencies } from "./change-in-batches.ts";

/** Links per transaction. */
const BATCH = 500;

/**
 * Removes channels that their users deleted from their links, which keep their tags, and then the channels themselves.
 * @returns whether more may be left
 */
export function deleteChannels(deps: MassChangeDependencies): Promise<boolean> {
  return changeInBatches(deps, {
    kind: "delete-channels",
    table: "channels",
    mayBegin: sql.fragment`user_id IS NULL`,
    async changeBatch(transaction, id) {
      // No other transaction can put a link on the channel before this one ends.
      await lockChannel(transaction, id);
      if ((await clearLinks(transaction, id)) > 0) return true;
      await removeChannel(transaction, id);
      return false;
    },
  });
}

const Nothing = z.object({});

async function lockChannel(transaction: CommonQueryMethods, id: number) {
  await transaction.query(sql.type(Nothing)`SELECT id FROM channels WHERE id = ${id} FOR UPDATE`);
}

function clearLinks(transaction: CommonQueryMethods, id: number) {
  return transaction.oneFirst(sql.type(z.object({ count: z.int() }))`
    WITH locked AS (
      SELECT id FROM links WHERE channel_id = ${id} ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE
    ), link AS (
      UPDATE links SET channel_id = NULL, channel_tag = NULL, revision = revision + 1
      FROM locked WHERE links.id = locked.id
      RETURNING links.short_code, links.revision
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT count(*)::int AS count FROM link
  `);
}

async function removeChannel(transaction: CommonQueryMethods, id: number) {
  await transaction.query(sql.type(Nothing)`DELETE FROM channels WHERE id = ${id}`);
}
