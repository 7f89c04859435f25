import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { EarningsImport } from "@tapthru/proto/earnings-imports";
import { type FragmentSqlToken, sql } from "slonik";

export interface ImportRef {
  userId: number;
  id: string;
}

/** While the file is received, and once it was removed, an import is not shown. */
const isShown = sql.fragment`import.state NOT IN ('receiving', 'removed')`;

/** The days of a report which is not stored that stored ones of the same kind and store have. */
const storedDays = (isOfAccount: FragmentSqlToken) => sql.fragment`(
  SELECT coalesce(sum(upper(day_range) - lower(day_range)), 0)::int
  FROM (
    SELECT range_agg(stored.days) * datemultirange(daterange(report.first_day, report.last_day, '[]')) AS days
    FROM earnings_reports AS stored
    WHERE import.state <> 'stored' AND stored.user_id = report.user_id
      AND stored.marketplace = report.marketplace AND stored.kind = report.kind AND ${isOfAccount}
  ) AS common, unnest(common.days) AS day_range
)`;
const replacedDays = storedDays(sql.fragment`stored.store_id = report.store_id`);
const otherAccountDays = storedDays(sql.fragment`stored.store_id <> report.store_id`);

const countedDays = sql.fragment`(
  SELECT coalesce(sum(upper(day_range) - lower(day_range)), 0)::int FROM unnest(report.days) AS day_range
)`;

const reportsOfImport = sql.fragment`(
  SELECT coalesce(jsonb_agg(jsonb_build_object(
    'fileName', report.file_name, 'kind', report.kind, 'firstDay', report.first_day,
    'lastDay', report.last_day, 'currency', report.currency, 'rowCount', report.row_count,
    'unmatchedRowCount', report.unmatched_row_count, 'replacedDayCount', ${replacedDays},
    'otherAccountDayCount', ${otherAccountDays}, 'countedDayCount', ${countedDays},
    'unreadLines', report.unread_lines
  ) || report.sums ORDER BY report.id), '[]')
  FROM earnings_reports AS report
  WHERE report.import_id = import.id AND import.state IN ('ready', 'stored')
)`;

const importColumns = sql.fragment`
  import.id, import.file_name AS "fileName", import.state, import.marketplace,
  import.store_id AS "storeId", import.question, import.refusal, utc_text(import.created_at) AS "createdAt",
  utc_text(import.stored_at) AS "storedAt", import.ignored_files AS "ignoredFiles", ${reportsOfImport} AS reports
`;

interface ImportsQuery {
  userId: number;
  /** The last import of the page before; null: the first page. */
  after: string | null;
  /** Null for all. */
  limit: number | null;
}

export function findImports(db: Db<"any">, { userId, after, limit }: ImportsQuery): Promise<readonly EarningsImport[]> {
  return db.any(sql.type(EarningsImport)`
    SELECT ${importColumns} FROM earnings_imports AS import
    WHERE user_id = ${userId} AND ${isShown} AND (${after}::uuid IS NULL OR (created_at, id) < (
      SELECT created_at, id FROM earnings_imports WHERE id = ${after} AND user_id = ${userId}
    ))
    ORDER BY created_at DESC, id DESC LIMIT ${limit}::int
  `);
}

export function findImport(db: Db<"maybeOne">, { userId, id }: ImportRef): Promise<EarningsImport | null> {
  return db.maybeOne(sql.type(EarningsImport)`
    SELECT ${importColumns} FROM earnings_imports AS import
    WHERE id = ${id} AND user_id = ${userId} AND ${isShown}
  `);
}
