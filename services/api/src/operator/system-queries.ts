import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { FailedItem } from "@tapthru/proto/http/operator/system";
import { sql } from "slonik";
import * as z from "zod/mini";

const FailedRow = z.extend(FailedItem, {
  firstFailedAt: z.number(),
  retryAt: z.number(),
  total: z.int(),
});

/** The next `limit` to be tried again; `total`: of all. */
export function findFailedItems(db: Db<"any">, limit: number) {
  return db.any(sql.type(FailedRow)`
    SELECT kind, key, error, attempts, first_failed_at AS "firstFailedAt", retry_at AS "retryAt",
      count(*) OVER ()::int AS total
    FROM failed_items ORDER BY retry_at, kind, key LIMIT ${limit}
  `);
}

/** @returns how many were waiting for their next attempt */
export async function retryFailedItems(db: Db<"query">): Promise<number> {
  const { rowCount } = await db.query(sql.type(z.object({}))`
    UPDATE failed_items SET retry_at = now() WHERE retry_at > now()
  `);
  return rowCount;
}
