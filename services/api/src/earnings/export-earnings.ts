import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { ExportedEarnings } from "@tapthru/proto/own-account";
import { sql } from "slonik";
import * as z from "zod/mini";

const ROWS_PER_PAGE = 2_000;

export async function* earningsPages(db: Db<"any">, userId: number): AsyncGenerator<readonly ExportedEarnings[]> {
  for (const { id } of await findReportIds(db, userId)) {
    for (let after: Place | null = FIRST; after !== null; ) {
      const rows: readonly PlacedRow[] = await findRows(db, id, after);
      yield rows;
      const last: PlacedRow | undefined = rows.at(-1);
      after = last === undefined || rows.length < ROWS_PER_PAGE ? null : last;
    }
  }
}

/** Where a row is: reports may have equal rows, and no row is ever changed. */
interface Place {
  day: string;
  place: string;
}

const FIRST: Place = { day: "-infinity", place: "(0,0)" };

const PlacedRow = z.extend(ExportedEarnings, { place: z.string() });
type PlacedRow = z.infer<typeof PlacedRow>;

function findReportIds(db: Db<"any">, userId: number) {
  return db.any(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM earnings_reports WHERE user_id = ${userId} ORDER BY id
  `);
}

function findRows(db: Db<"any">, reportId: number, { day, place }: Place) {
  return db.any(sql.type(PlacedRow)`
    SELECT import_id AS "importId", kind AS report, marketplace, store_id AS "storeId", currency,
      day::text AS day, tag, item.asin, product.name AS "productName", nullif(product.category, '') AS category, is_direct AS "isDirect",
      earnings, revenue, ordered, shipped, returned, clicks, item.ctid::text AS place
    FROM (
      SELECT *, ctid FROM earnings_rows
      WHERE report_id = ${reportId} AND (day, ctid) > (${day}::text::date, ${place}::text::tid)
      ORDER BY earnings_rows.day, ctid LIMIT ${ROWS_PER_PAGE}
    ) AS item
    JOIN earnings_reports AS report ON report.id = report_id
    LEFT JOIN earnings_products AS product
      ON product.user_id = report.user_id AND product.asin = item.asin
    ORDER BY item.day, item.ctid
  `);
}
