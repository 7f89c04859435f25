import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { ClickBatch, LinkClicks } from "@tapthru/proto/clicks/batch";
import { classKey, MAX_REFERRERS, MAX_REFERRERS_OF_USER } from "@tapthru/proto/clicks/keys";
import { sumOfSeries, UnpackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { dayOf, firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import { mergeSketches } from "@tapthru/proto/clicks/visitor-sketch";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import * as queries from "./queries.ts";

interface DayChange {
  id: number;
  day: string;
  clicks: LinkClicks[];
}

/**
 * Adds batches to the counts of links and of their owners in one transaction, beside those of other workers. A batch that was applied before adds nothing, nor do
 * clicks of links that were deleted.
 * @returns the number of rows that changed
 * @throws PostgresUnavailableError
 */
export function applyBatches(db: Db<"transaction">, batches: readonly ClickBatch[]): Promise<number> {
  return db.transaction(async (transaction) => {
    await transaction.query(sql.type(z.object({}))`SET LOCAL lock_timeout = '3s'`);
    const isNew = await queries.insertBatches(transaction, [...new Set(batches.map(({ id }) => id))]);
    const added = [...new Map(batches.map((batch) => [batch.id, batch])).values()].filter(({ id }) => isNew.has(id));
    const clicks = added.flatMap(({ links }) => links);
    const shortCodes = new Set(clicks.map(({ shortCode }) => shortCode));
    const links = await queries.lockLinks(transaction, [...shortCodes]);
    const ofLinks = changesOf(clicks, (code) => links.get(code)?.id);
    const ofUsers = changesOf(clicks, (code) => links.get(code)?.userId);
    for (const month of monthsOf(ofLinks)) await queries.createPartitions(transaction, month);
    const owners = new Map([...links.values()].map(({ id, userId }) => [id, userId]));
    await addToDays(transaction, ["clicks", "link_id"], ofLinks, MAX_REFERRERS, owners);
    if (ofUsers.length > 0) await queries.lockUserDays(transaction, ofUsers);
    await addToDays(transaction, ["user_clicks", "user_id"], ofUsers, MAX_REFERRERS_OF_USER);
    await addOutcomes(transaction, added);
    return ofLinks.length + ofUsers.length;
  });
}

function changesOf(clicks: readonly LinkClicks[], idOf: (shortCode: string) => number | null | undefined): DayChange[] {
  const changes = new Map<string, DayChange>();
  for (const item of clicks) {
    const id = idOf(item.shortCode) ?? null;
    if (id === null) continue;
    const day = dayOf(item.quarter);
    const key = keyOf({ id, day });
    const change = changes.get(key);
    if (change === undefined) changes.set(key, { id, day, clicks: [item] });
    else change.clicks.push(item);
  }
  return [...changes.values()];
}

async function addToDays(
  transaction: CommonQueryMethods,
  table: queries.DayTable,
  changes: readonly DayChange[],
  maxReferrers: number,
  owners?: ReadonlyMap<number, number | null>,
): Promise<void> {
  if (changes.length === 0) return;
  const current = await queries.findDays(transaction, table, changes);
  const rows = new Map(current.map((row) => [keyOf(row), row]));
  const changed = changes.map((change) => addChange(change, rows.get(keyOf(change)), maxReferrers));
  await queries.upsertDays(transaction, table, changed, owners);
}

function addChange(
  { id, day, clicks }: DayChange,
  row: queries.DayRow | undefined,
  maxReferrers: number,
): queries.DayRow {
  const unpacked = new UnpackedCounts(maxReferrers);
  if (row !== undefined) unpacked.addPacked(row.counts);
  const firstQuarter = firstQuarterOf(day);
  for (const { quarter, counts } of clicks) {
    for (const [key, count] of Object.entries(counts)) unpacked.add(key, quarter - firstQuarter, count);
  }
  const counts = unpacked.pack();
  const people = sumOfSeries(counts[classKey("person")] ?? "");
  return { id, day, counts, visitors: addVisitors(row?.visitors ?? null, clicks), people };
}

/** Returns null while there are no visitors. */
function addVisitors(sketch: Uint8Array | null, clicks: readonly LinkClicks[]): Uint8Array | null {
  const values = clicks.flatMap(({ visitors }) => visitors);
  if (values.length === 0) return sketch;
  return mergeSketches(sketch === null ? [] : [sketch], values);
}

function keyOf({ id, day }: Pick<queries.DayRow, "id" | "day">): string {
  return `${id} ${day}`;
}

function monthsOf(changes: readonly DayChange[]): Set<string> {
  return new Set(changes.map(({ day }) => `${day.slice(0, 7)}-01`));
}

/** Adds what app-opening pages reported. The transaction must apply each batch once. */
async function addOutcomes(transaction: CommonQueryMethods, batches: readonly ClickBatch[]) {
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
