import type { ClickHouse } from "@tapthru/core/platform/clickhouse/clickhouse";
import { forEachItem } from "@tapthru/core/platform/failed-items";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { bytes } from "@tapthru/core/platform/postgres/values";
import { ESTIMATE_KEY } from "@tapthru/proto/clicks/keys";
import { PackedCounts, readSeries } from "@tapthru/proto/clicks/packed-counts";
import { dayOf, firstQuarterOf, QUARTERS_PER_DAY } from "@tapthru/proto/clicks/quarters";
import { registersOf } from "@tapthru/proto/clicks/visitor-sketch";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../../app.ts";
import type { CountRow, VisitorRow } from "../../clicks/clickhouse/batch-rows.ts";
import { acquireClicksLock } from "../../clicks/queries.ts";

/** Links whose rows are moved at once. */
const RUN_LINKS = 20;

type MoveApp = Pick<App, "db" | "logger"> & { clickHouse: Pick<ClickHouse, "insert"> };

/**
 * Moves the clicks that are in Postgres to ClickHouse, each row once. A run of rows is deleted in the
 * transaction that inserts it; the token of the insert was committed before, so that a run is inserted once also if the
 * worker ends between the insert and the commit.
 */
export async function moveClicks(app: MoveApp, signal: AbortSignal): Promise<void> {
  const loop = { ...app, kind: "move-clicks", signal };
  for (const table of MOVED_TABLES) {
    let run = await findNextRun(app.db, table, 0);
    while (run !== null && !signal.aborted) {
      const { firstLinkId } = run;
      await forEachItem(
        loop,
        [run],
        () => `${table.name} ${firstLinkId}`,
        (each) => moveRun(app, each),
      );
      run = await findNextRun(app.db, table, firstLinkId + RUN_LINKS);
    }
  }
}

async function moveRun({ db, clickHouse }: MoveApp, run: Run): Promise<void> {
  const token = await tokenOf(db, run);
  await db.transaction(async (transaction) => {
    await acquireClicksLock(transaction);
    await insertRun(clickHouse, { token, rows: await takeRun(transaction, run) });
    await deleteMove(transaction, token);
  });
}

async function insertRun(
  clickHouse: Pick<ClickHouse, "insert">,
  { token, rows }: { token: string; rows: readonly MovedRow[] },
): Promise<void> {
  const counts = rows.flatMap(countRows);
  const visitors = rows.flatMap(visitorRows);
  if (counts.length > 0) await clickHouse.insert("clicks", counts, token);
  if (visitors.length > 0) await clickHouse.insert("click_visitors", visitors, token);
}

function countRows({ linkId, userId, start, counts, estimates }: MovedRow): CountRow[] {
  const rows: CountRow[] = [];
  const firstQuarter = firstQuarterOf(start);
  const add = (quarter: number, key: string, count: number) => {
    const day = dayOf(quarter);
    const slot = quarter - firstQuarterOf(day);
    rows.push({ user_id: userId, day, link_id: linkId, key, slot, count });
  };
  for (const [key, series] of Object.entries(counts))
    readSeries(series, (slot, count) => add(firstQuarter + slot, key, count));
  for (const [day, estimate] of Object.entries(estimates ?? {}))
    add(firstQuarter + (Number(day) - 1) * QUARTERS_PER_DAY, ESTIMATE_KEY, estimate);
  return rows;
}

function visitorRows({ linkId, userId, start, sketch }: MovedRow): VisitorRow[] {
  const registers = sketch === null ? [] : registersOf(sketch);
  const key = { user_id: userId, day: start, link_id: linkId };
  return registers.map((value) => ({ ...key, value, count: 1 }));
}

const Nothing = z.object({});

/** The tables that are moved, with the column of their period. */
const MOVED_TABLES = [
  { name: "monthly_clicks", period: "month" },
  { name: "clicks", period: "day" },
] as const;
type MovedTable = (typeof MOVED_TABLES)[number];

/** The rows of RUN_LINKS links from `firstLinkId` on, whether all of them exist or not. */
interface Run {
  table: MovedTable;
  firstLinkId: number;
}

/** Null without rows of links from `fromLinkId` on. */
async function findNextRun(db: Db<"maybeOneFirst">, table: MovedTable, fromLinkId: number): Promise<Run | null> {
  const linkId = await db.maybeOneFirst(sql.type(z.object({ linkId: z.int() }))`
    SELECT link_id AS "linkId" FROM ${sql.identifier([table.name])}
    WHERE link_id >= ${fromLinkId} ORDER BY link_id LIMIT 1
  `);
  return linkId === null ? null : { table, firstLinkId: linkId - (linkId % RUN_LINKS) };
}

/** The same for each attempt to move a run. */
function tokenOf(db: Db<"oneFirst">, { table, firstLinkId }: Run) {
  return db.oneFirst(sql.type(z.object({ token: z.string() }))`
    INSERT INTO click_moves (source, first_link_id) VALUES (${table.name}, ${firstLinkId})
    ON CONFLICT (source, first_link_id) DO UPDATE SET source = excluded.source
    RETURNING token
  `);
}

async function deleteMove(transaction: Db<"query">, token: string): Promise<void> {
  await transaction.query(sql.type(Nothing)`DELETE FROM click_moves WHERE token = ${token}::uuid`);
}

const MovedRow = z.object({
  linkId: z.int(),
  /** 0 without an owner. */
  userId: z.int(),
  start: z.string(),
  counts: PackedCounts,
  sketch: z.nullable(bytes),
  estimates: z.nullable(z.record(z.string(), z.int())),
});
type MovedRow = z.infer<typeof MovedRow>;

function takeRun(transaction: Db<"any">, { table, firstLinkId }: Run): Promise<readonly MovedRow[]> {
  const period = sql.identifier([table.period]);
  const sketch = table.period === "day" ? sql.fragment`visitors` : sql.fragment`NULL::bytea`;
  const estimates = table.period === "day" ? sql.fragment`NULL::jsonb` : sql.fragment`visitors`;
  return transaction.any(sql.type(MovedRow)`
    WITH moved AS (
      DELETE FROM ${sql.identifier([table.name])}
      WHERE link_id >= ${firstLinkId} AND link_id < ${firstLinkId + RUN_LINKS}
      RETURNING link_id, ${period}::text AS start, counts, ${sketch} AS sketch, ${estimates} AS estimates
    )
    SELECT link_id AS "linkId", coalesce(user_id, 0) AS "userId", start, counts, sketch, estimates
    FROM moved JOIN links ON links.id = link_id
  `);
}
