import { withClient } from "@tapthru/postgres/with-client";
import { CLICK_STREAM } from "@tapthru/proto/clicks/batch";
import { CLICK_CLASSES, type ClickClass, classKey } from "@tapthru/proto/clicks/keys";
import { PackedCounts, readSeries } from "@tapthru/proto/clicks/packed-counts";
import { Redis } from "ioredis";
import * as z from "zod/mini";
import type { Trial } from "../fault-case.ts";
import { readMetric } from "./metrics.ts";

/** Clicks of each link by class. */
export type ClickCounts = ReadonlyMap<string, Partial<Record<ClickClass, number>>>;

const Row = z.object({ shortCode: z.string(), counts: PackedCounts });

/** Reads the clicks of all links from Postgres. */
export function readClickCounts(databaseUrl: string): Promise<ClickCounts> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      'SELECT short_code AS "shortCode", counts FROM clicks JOIN links ON links.id = link_id',
    );
    const found = new Map<string, Partial<Record<ClickClass, number>>>();
    for (const { shortCode, counts } of z.parse(z.array(Row), rows)) {
      const link = found.get(shortCode) ?? {};
      for (const clickClass of CLICK_CLASSES)
        link[clickClass] = (link[clickClass] ?? 0) + sumOf(counts[classKey(clickClass)] ?? "");
      found.set(shortCode, link);
    }
    return found;
  });
}

function sumOf(series: string): number {
  let sum = 0;
  readSeries(series, (_slot, count) => {
    sum += count;
  });
  return sum;
}

const UNSENT_AGE = "tapthru_click_unsent_seconds";

/** A redirect makes a batch of what it counted last when the earlier ones are sent. */
const LAST_BATCH_MS = 2_000;

/**
 * Waits until the clicks that redirects have counted so far are in Postgres.
 * @param adminPorts of the redirects
 * @returns the seconds that it took; Infinity after two minutes
 */
export async function untilClicksAreStored(
  { testbed, pause, secondsUntil }: Pick<Trial, "testbed" | "pause" | "secondsUntil">,
  adminPorts: readonly number[],
): Promise<number> {
  const begin = performance.now();
  const areStored = async () => {
    const ages = await Promise.all(adminPorts.map((port) => readMetric(port, UNSENT_AGE)));
    const areSent = ages.every((age) => age === 0);
    return areSent && (await countWaitingBatches(testbed.config.queuePort)) === 0;
  };
  await secondsUntil(areStored, 60_000);
  await pause(LAST_BATCH_MS);
  const rest = await secondsUntil(areStored, 60_000);
  return Number.isFinite(rest) ? (performance.now() - begin) / 1_000 : rest;
}

/** Batches of clicks in the queue that are not in Postgres yet. */
async function countWaitingBatches(queuePort: number): Promise<number> {
  const redis = new Redis({ port: queuePort });
  try {
    return await redis.xlen(CLICK_STREAM);
  } finally {
    redis.disconnect();
  }
}
