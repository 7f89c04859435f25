import type pg from "pg";
import { withClient } from "./with-client.ts";

/** While a batch is written, changes of its links wait: about 0.1 s. */
const BATCH_ROWS = 2_000;

/**
 * Gives a sort name to links with an owner that are older than the column. Idempotent. Must run before the release
 * that lists links by name, because that list omits links without a sort name.
 */
export function assignSortNames(databaseUrl: string): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    for (let lastId: string | null = "0"; lastId !== null; ) {
      lastId = await assignBatch(client, lastId);
    }
  });
}

/** The trigger on `user_id` sets the name. @returns the last id of the batch; null after the last batch */
async function assignBatch(client: pg.Client, afterId: string): Promise<string | null> {
  const { rows } = await client.query<{ lastId: string | null }>(
    `WITH unnamed AS (
       SELECT id FROM links WHERE user_id IS NOT NULL AND sort_name IS NULL AND id > $1
       ORDER BY id LIMIT ${BATCH_ROWS}
       FOR NO KEY UPDATE
     ), named AS (
       UPDATE links SET user_id = user_id FROM unnamed WHERE links.id = unnamed.id
     )
     SELECT max(id) AS "lastId" FROM unnamed`,
    [afterId],
  );
  return rows[0]?.lastId ?? null;
}
