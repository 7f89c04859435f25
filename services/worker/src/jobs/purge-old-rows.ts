import { type RowEvent, recorded, recordedColumns } from "@tapthru/core/events";
import { actAsJob } from "@tapthru/core/platform/actor";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import {
  ABUSE_REPORT_LIFETIME_MS,
  EXPIRED_KEY_LIFETIME_MS,
  IDEMPOTENCY_KEY_LIFETIME_MS,
  REPEATED_CREATE_WINDOW_MS,
  WEBHOOK_DELIVERY_LIFETIME_MS,
} from "@tapthru/proto/rules/limits";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { createPartitions } from "../clicks/queries.ts";
import { dueKind } from "../due.ts";

const WEBHOOK_DELIVERIES_MAX_COUNT = 50_000;
const BATCH = 1_000;

/** Longer than the period of the outbox that a replica's change tail reads. */
const PROJECTED_CHANGE_LIFETIME_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Several rounds of this job. */
const RECENT_DELIVERY_MS = 60 * 60 * 1_000;
/** After the time of the next attempt. Rounds are hourly at most, so that there was none: the item is gone. */
const FAILED_ITEM_LIFETIME_MS = 2 * 60 * 60 * 1_000;

const Nothing = z.object({});

interface OldRows {
  schema?: string;
  table: string;
  /** By default `id`. */
  key?: "ctid";
  since: string;
  before: FragmentSqlToken;
  event?: RowEvent;
}

const ago = (lifetimeMs: number) => sql.fragment`now() - ${milliseconds(lifetimeMs)}`;

const OLD_ROWS: readonly OldRows[] = [
  { table: "link_changes", since: "projected_at", before: ago(PROJECTED_CHANGE_LIFETIME_MS) },
  // A batch may arrive again within seconds: after a lost reply, or when another worker takes it over.
  { table: "click_batches", since: "applied_at", before: ago(DAY_MS) },
  { table: "idempotency_keys", key: "ctid", since: "created_at", before: ago(IDEMPOTENCY_KEY_LIFETIME_MS) },
  { table: "recent_creates", key: "ctid", since: "created_at", before: ago(REPEATED_CREATE_WINDOW_MS) },
  { table: "api_keys", since: "expires_at", before: ago(EXPIRED_KEY_LIFETIME_MS), event: "key.deleted" },
  { table: "abuse_reports", key: "ctid", since: "last_reported_at", before: ago(ABUSE_REPORT_LIFETIME_MS) },
  // The authority's longest limit is for seven days.
  { table: "certificate_orders", since: "ordered_at", before: ago(8 * DAY_MS) },
  { table: "invitations", since: "expires_at", before: ago(0), event: "invitation.deleted" },
  // A day is over everywhere two days after its start.
  { table: "shared_pages", since: "ends_on", before: ago(2 * DAY_MS), event: "shared-page.deleted" },
  { table: "members", since: "expires_at", before: ago(0), event: "member.deleted" },
  { table: "failed_items", key: "ctid", since: "retry_at", before: ago(FAILED_ITEM_LIFETIME_MS) },
  { schema: "identity", table: "session", since: "expiresAt", before: ago(0) },
  { schema: "identity", table: "verification", since: "expiresAt", before: ago(0) },
  { table: "webhook_deliveries", since: "created_at", before: ago(WEBHOOK_DELIVERY_LIFETIME_MS) },
];

type PurgeApp = Pick<App, "db" | "clicksKeptMonths" | "auditLogDays" | "logger">;

/** A table whose rows cannot be deleted does not delay the others. */
export const purgeOldRows = dueKind({
  everyMs: 10 * 60_000,
  claim: purgesOf,
  keyOf: ([name]) => name,
  work: ({ db }, [, purge], { kind, signal }) => actAsJob(kind, () => purge(db, signal)),
});

type Purge = [name: string, purge: (db: App["db"], signal: AbortSignal) => Promise<void>];

async function purgesOf({ clicksKeptMonths, auditLogDays }: PurgeApp): Promise<Purge[]> {
  const now = Date.now();
  const firstDay = sql.fragment`${monthOf(now, -clicksKeptMonths)}::text::date`;
  // Outcomes of app opening are kept as long as clicks.
  const openings: OldRows = { table: "app_openings", key: "ctid", since: "day", before: firstDay };
  return [
    ...[...OLD_ROWS, openings].map((rows): Purge => [rows.table, (db, signal) => deleteOldRows(db, rows, signal)]),
    ["months of clicks", (db) => rotateClicks(db, now, firstDay)],
    ["audit_log", (db, signal) => purgeAuditLog(db, signal, auditLogDays)],
    ["excess of webhook_deliveries", purgeExcessDeliveries],
  ];
}

/**
 * Deletes old rows of a table in batches, until none is left or the job is aborted. A row may be updated while a statement waits
 * for its lock, so its age is checked twice: when it is found and when it is locked.
 */
async function deleteOldRows(db: CommonQueryMethods, rows: OldRows, signal: AbortSignal) {
  const table = sql.identifier(rows.schema ? [rows.schema, rows.table] : [rows.table]);
  const [key, since] = [sql.identifier([rows.key ?? "id"]), sql.identifier([rows.since])];
  const isOld = sql.fragment`${since} < ${rows.before}`;
  const { event } = rows;
  const record = event && sql.fragment`RETURNING ${recordedColumns(event)}), ${recorded(event)}`;
  await repeat(signal, () =>
    db.query(sql.type(Nothing)`
      WITH object AS (
        DELETE FROM ${table} WHERE ${key} = ANY (ARRAY(
          SELECT ${key} FROM ${table} WHERE ${isOld} ORDER BY ${since} LIMIT ${BATCH}
        )) AND ${isOld}
        ${record ?? sql.fragment`RETURNING 1)`}
      SELECT FROM object
    `),
  );
}

/** @param purge deletes a batch */
async function repeat(signal: AbortSignal, purge: () => Promise<{ rowCount: number }>): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted; ) deleted = (await purge()).rowCount;
}

async function rotateClicks(db: CommonQueryMethods, now: number, firstDay: FragmentSqlToken) {
  for (const month of [monthOf(now), monthOf(now, 1)]) await createPartitions(db, month);
  await db.query(sql.type(Nothing)`SELECT drop_click_partitions(${firstDay})`);
}

/** The first day of a month in UTC, such as 2026-11-01. @param offset in months */
function monthOf(time: number, offset = 0): string {
  const date = new Date(time);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset)).toISOString().slice(0, 10);
}

async function purgeAuditLog(db: CommonQueryMethods, signal: AbortSignal, keptDays: number) {
  let count = 1;
  while (count > 0 && !signal.aborted) {
    count = await db.oneFirst(sql.type(z.object({ count: z.int() }))`
      SELECT purge_audit_log(${milliseconds(keptDays * DAY_MS)}, ${BATCH}) AS count
    `);
  }
}

/** Deletes the oldest events of webhooks with more than the maximum. Only those with new events are counted, each by its own statement. */
async function purgeExcessDeliveries(db: CommonQueryMethods, signal: AbortSignal): Promise<void> {
  const ids = await db.anyFirst(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM webhooks WHERE EXISTS (
      SELECT FROM webhook_deliveries
      WHERE webhook_id = webhooks.id AND created_at > now() - ${milliseconds(RECENT_DELIVERY_MS)}
    )
  `);
  for (const id of ids) {
    await repeat(signal, () =>
      db.query(sql.type(Nothing)`
        DELETE FROM webhook_deliveries WHERE id IN (
          SELECT id FROM webhook_deliveries WHERE webhook_id = ${id}
          ORDER BY created_at DESC, id OFFSET ${WEBHOOK_DELIVERIES_MAX_COUNT} LIMIT ${BATCH}
        )
      `),
    );
  }
}
