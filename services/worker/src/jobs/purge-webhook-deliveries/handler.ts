import {
  WEBHOOK_DELIVERIES_MAX_COUNT,
  WEBHOOK_DELIVERY_LIFETIME_MS,
} from "@tapthru/proto/rules/limits";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { purgeOldRows } from "../purge-old-rows.ts";

const BATCH = 1_000;

/** @param maxCount of one webhook */
export async function purgeWebhookDeliveries(
  { db }: { db: CommonQueryMethods },
  signal: AbortSignal,
  maxCount = WEBHOOK_DELIVERIES_MAX_COUNT,
): Promise<void> {
  await purgeOldRows(
    db,
    {
      table: "webhook_deliveries",
      primaryKey: ["id"],
      since: "created_at",
      lifetimeMs: WEBHOOK_DELIVERY_LIFETIME_MS,
    },
    signal,
  );
  for (const webhookId of await findFullWebhooks(db, maxCount)) {
    let deleted = BATCH;
    while (deleted === BATCH && !signal.aborted) {
      deleted = await deleteOldest(db, webhookId, maxCount);
    }
  }
}

function findFullWebhooks(db: CommonQueryMethods, maxCount: number): Promise<readonly number[]> {
  return db.anyFirst(sql.type(z.object({ webhookId: z.int() }))`
    SELECT webhook_id AS "webhookId" FROM webhook_deliveries
    GROUP BY webhook_id HAVING count(*) > ${maxCount}
  `);
}

async function deleteOldest(
  db: CommonQueryMethods,
  webhookId: number,
  maxCount: number,
): Promise<number> {
  const { rowCount } = await db.query(sql.type(z.object({}))`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE webhook_id = ${webhookId}
      ORDER BY created_at DESC, id OFFSET ${maxCount} LIMIT ${BATCH}
    )
  `);
  return rowCount;
}
