import type { ClickBatch, RowOutcomes } from "@tapthru/proto/clicks/batch";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/** Further versions of an app on a day count as unknown, because visitors can invent them. */
const MAX_VERSIONS = 100;

const Nothing = z.object({});

/** Adds what app-opening pages reported. The transaction must hold the clicks lock, and apply each batch once. */
export async function addOutcomes(
  transaction: CommonQueryMethods,
  batches: readonly ClickBatch[],
): Promise<void> {
  const reported = batches.flatMap(({ outcomes }) => outcomes ?? []);
  if (reported.length === 0) return;
  await upsertOutcomes(transaction, reported);
  await upsertTables(transaction, reported);
}

async function upsertOutcomes(
  transaction: CommonQueryMethods,
  reported: readonly RowOutcomes[],
): Promise<void> {
  const rows = reported.map(({ day, table, row, app, os, appVersion, opened, stayed, unknown }) => [
    ...[day, table, row, app, os, appVersion],
    ...[opened, stayed, unknown],
  ]);
  const types = ["date", "text", "text", "text", "text", "text", "int8", "int8", "int8"] as const;
  await transaction.query(sql.type(Nothing)`
    INSERT INTO app_openings AS stored
      (day, table_version, row_id, app, os, app_version, opened, stayed, unknown)
    SELECT day, table_version, row_id, app, os, counted.app_version,
      sum(opened), sum(stayed), sum(unknown)
    FROM ${sql.unnest(rows, [...types])}
      AS reported (day, table_version, row_id, app, os, app_version, opened, stayed, unknown)
    CROSS JOIN LATERAL (
      SELECT CASE WHEN count(*) < ${MAX_VERSIONS} OR bool_or(app_version = reported.app_version)
        THEN reported.app_version ELSE '' END
      FROM app_openings AS known
      WHERE (known.day, known.table_version, known.row_id)
        = (reported.day, reported.table_version, reported.row_id)
    ) AS counted (app_version)
    GROUP BY day, table_version, row_id, app, os, counted.app_version
    ON CONFLICT ON CONSTRAINT app_openings_pkey DO UPDATE SET
      opened = stored.opened + excluded.opened,
      stayed = stored.stayed + excluded.stayed,
      unknown = stored.unknown + excluded.unknown
  `);
}

async function upsertTables(
  transaction: CommonQueryMethods,
  reported: readonly RowOutcomes[],
): Promise<void> {
  const rows = reported.map(({ table, day }) => [table, day]);
  await transaction.query(sql.type(Nothing)`
    INSERT INTO app_opening_tables AS stored (version, first_day, last_day)
    SELECT version, min(day), max(day)
    FROM ${sql.unnest(rows, ["text", "date"])} AS reported (version, day) GROUP BY version
    ON CONFLICT ON CONSTRAINT app_opening_tables_pkey DO UPDATE SET
      first_day = least(stored.first_day, excluded.first_day),
      last_day = greatest(stored.last_day, excluded.last_day)
  `);
}
