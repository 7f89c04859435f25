import type { ClickBatch } from "@tapthru/proto/clicks/batch";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/** Adds what app-opening pages reported. The transaction must apply each batch once. */
export async function addOutcomes(transaction: CommonQueryMethods, batches: readonly ClickBatch[]) {
  const reported = batches.flatMap(({ outcomes }) => outcomes);
  if (reported.length === 0) return;
  const rows = reported.map(({ day, row, app, os, opened, stayed, unknown }) => [
    day,
    row,
    app,
    os,
    opened,
    stayed,
    unknown,
  ]);
  const types = ["date", "text", "text", "text", "int8", "int8", "int8"] as const;
  await transaction.query(sql.type(z.object({}))`
    INSERT INTO app_openings AS stored (day, row_id, app, os, opened, stayed, unknown)
    SELECT day, row_id, app, os, sum(opened), sum(stayed), sum(unknown)
    FROM ${sql.unnest(rows, [...types])}
      AS reported (day, row_id, app, os, opened, stayed, unknown)
    GROUP BY day, row_id, app, os ORDER BY day, row_id, app, os
    ON CONFLICT ON CONSTRAINT app_openings_pkey DO UPDATE SET
      opened = stored.opened + excluded.opened,
      stayed = stored.stayed + excluded.stayed,
      unknown = stored.unknown + excluded.unknown
  `);
}
