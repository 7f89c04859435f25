import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import { newCodes } from "./insert-links.ts";
import type { Scan, ScanPlan } from "./scan.ts";

const CONNECTIONS = 64;
const CODES_A_BATCH = 100;

/** The scan's own process: tells its parent what came of it. */
process.once("message", (plan: ScanPlan) => {
  void scan(plan).then((result) => process.send?.(result, () => process.disconnect()));
});
process.once("disconnect", () => process.exit());

/** Closed model: each connection asks for one code after the other, none before it is due. */
async function scan({ origin, count, perSecond, withinMs }: ScanPlan): Promise<Scan> {
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const statuses: Record<string, number> = {};
  const begin = performance.now();
  const elapsedMs = () => performance.now() - begin;
  let asked = 0;

  async function walk(): Promise<void> {
    let codes: string[] = [];
    while (asked < count && elapsedMs() < withinMs) {
      const earlyMs = perSecond === null ? 0 : (asked * 1_000) / perSecond - elapsedMs();
      asked++;
      if (earlyMs > 0) await delay(earlyMs);
      if (codes.length === 0) codes = newCodes(CODES_A_BATCH);
      const status = await statusOf(pool, `/l/${codes.pop()}`);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, walk));
  return { statuses, seconds: elapsedMs() / 1_000 };
}

async function statusOf(pool: Pool, path: string): Promise<string> {
  try {
    const { statusCode, body } = await pool.request({ method: "GET", path });
    await body.dump();
    return String(statusCode);
  } catch {
    return "no answer";
  }
}
