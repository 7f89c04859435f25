import { ESTIMATE_KEY } from "@tapthru/proto/clicks/keys";
import { readSeries } from "@tapthru/proto/clicks/packed-counts";
import { dayOf, firstQuarterOf, QUARTERS_PER_DAY } from "@tapthru/proto/clicks/quarters";
import { registersOf } from "@tapthru/proto/clicks/visitor-sketch";
import type { ClickHouse } from "@tapthru/runtime/clickhouse/clickhouse";
import type { CommonQueryMethods } from "slonik";
import type { CountRow, VisitorRow } from "../../clicks/clickhouse/batch-rows.ts";
import { acquireClicksLock } from "../../clicks/queries.ts";
import {
  deleteMove,
  findFirstRun,
  MOVED_TABLES,
  type MovedRow,
  takeRun,
  tokenOf,
} from "./move-queries.ts";

export interface MoveClicksDependencies {
  db: CommonQueryMethods;
  clickHouse: Pick<ClickHouse, "insert">;
}

/**
 * Moves the clicks that are in Postgres to ClickHouse, each row once. A run of rows is deleted in the
 * transaction that inserts it; the token of the insert was committed before, so that a run is inserted once also if the
 * worker ends between the insert and the commit.
 */
export async function moveClicks(
  { db, clickHouse }: MoveClicksDependencies,
  signal: AbortSignal,
): Promise<void> {
  for (const table of MOVED_TABLES) {
    while (!signal.aborted) {
      const run = await findFirstRun(db, table);
      if (run === null) break;
      const token = await tokenOf(db, run);
      await db.transaction(async (transaction) => {
        await acquireClicksLock(transaction);
        await insertRun(clickHouse, { token, rows: await takeRun(transaction, run) });
        await deleteMove(transaction, token);
      });
    }
  }
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
