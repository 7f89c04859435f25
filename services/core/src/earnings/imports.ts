import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

type Query = Pick<CommonQueryMethods, "query">;

const Nothing = z.object({});

export async function insertFilePart(
  db: Query,
  { importId, part, bytes }: { importId: string; part: number; bytes: Buffer },
): Promise<void> {
  await db.query(sql.type(Nothing)`
    INSERT INTO earnings_file_parts (import_id, part, bytes)
    VALUES (${importId}, ${part}, ${sql.binary(bytes)})
  `);
}

/** Calculates again for which days the reports count that are of the same kind, store and account as those of the import. */
export async function calculateDays(db: Query, importId: string): Promise<void> {
  await db.query(sql.type(Nothing)`
    SELECT calculate_earnings_days(user_id, marketplace, store_id, kind)
    FROM (
      SELECT DISTINCT user_id, marketplace, store_id, kind FROM earnings_reports WHERE import_id = ${importId}
    ) AS kinds
  `);
}
