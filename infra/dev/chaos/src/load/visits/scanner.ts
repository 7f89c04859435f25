import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import { newCodes } from "../insert-links.ts";
import type { ScanPlan, ScanResult } from "./scan.ts";

const CONNECTIONS = 64;
const CODES_PER_BATCH = 100;

/** Runs as a separate process: sends the result to its parent. */
process.once("message", (plan: ScanPlan) => {
  void scan(plan).then((result) => process.send?.(result, () => process.disconnect()));
});
process.once("disconnect", () => process.exit());

/** Closed model: each connection requests one code after the other, none before it is due. */
async function scan({ origin, count, perSecond, timeoutMs }: ScanPlan): Promise<ScanResult> {
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const statuses: Record<string, number> = {};
  const begin = performance.now();
  const elapsedMs = () => performance.now() - begin;
  let sent = 0;

  async function scanConnection(): Promise<void> {
    let codes: string[] = [];
    while (sent < count && elapsedMs() < timeoutMs) {
      const earlyMs = perSecond === null ? 0 : (sent * 1_000) / perSecond - elapsedMs();
      sent++;
      if (earlyMs > 0) await delay(earlyMs);
      if (codes.length === 0) codes = newCodes(CODES_PER_BATCH);
      const status = await statusOf(pool, `/l/${codes.pop()}`);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, scanConnection));
  return { statuses, seconds: elapsedMs() / 1_000 };
}

async function statusOf(pool: Pool, path: string): Promise<string> {
  try {
    const { statusCode, body } = await pool.request({ method: "GET", path });
    await body.dump();
    return String(statusCode);
  } catch {
    return "no response";
  }
}
