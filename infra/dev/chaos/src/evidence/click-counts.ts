import { withClient } from "@tapthru/postgres/with-client";
import { CLICK_STREAM } from "@tapthru/proto/clicks/batch";
import { CLICK_CLASSES, type ClickClass, classKey } from "@tapthru/proto/clicks/keys";
import { PackedCounts, readSeries } from "@tapthru/proto/clicks/packed-counts";
import { Redis } from "ioredis";
import * as z from "zod/mini";

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

/** Batches of clicks in the queue that are not in Postgres yet. */
export async function countWaitingBatches(queuePort: number): Promise<number> {
  const redis = new Redis({ port: queuePort });
  try {
    return await redis.xlen(CLICK_STREAM);
  } finally {
    redis.disconnect();
  }
}
