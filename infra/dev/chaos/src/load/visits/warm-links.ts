import { countUnprojected } from "../../evidence/link-rows.ts";
import type { Trial } from "../../fault-case.ts";
import { redirectEndpoints } from "../../testbed/testbed-config.ts";
import { until } from "../../until.ts";
import { insertLinks, newCodes } from "../insert-links.ts";
import { runLoad } from "../load.ts";
import { type Visit, visitFailures, visitRequest } from "./visits.ts";

const VISITS_PER_SECOND = 200;

/** Inserts links and waits until their records are in Redis; no replica has them in memory. */
export async function insertProjectedLinks(trial: Trial, count: number): Promise<Visit[]> {
  const visits = await insertLinks(trial.testbed.databaseUrl, newCodes(count), {
    addToOutbox: true,
  });
  await waitUntilProjected(trial);
  return visits;
}

export async function waitUntilProjected({ testbed, signal }: Trial): Promise<void> {
  const isProjected = async () => (await countUnprojected(testbed.databaseUrl)) === 0;
  await until("the links are in Redis", isProjected, { timeoutMs: 30_000, signal });
}

/** Inserts links and loads them into the memory of every redirect replica. */
export async function insertWarmLinks(trial: Trial, count: number): Promise<Visit[]> {
  trial.log(`warming up ${count} links`);
  const visits = await insertProjectedLinks(trial, count);
  await warmCaches(trial, visits);
  return visits;
}

/** Visits all links at each replica, repeatedly until all visits succeed. */
export async function warmCaches(
  { testbed, signal }: Trial,
  visits: readonly Visit[],
): Promise<void> {
  for (const { origin } of redirectEndpoints(testbed.config)) {
    const requests = visits.map(visitRequest);
    const plan = { origin, perSecond: VISITS_PER_SECOND, requests, total: requests.length };
    const areServed = async () => visitFailures(visits, await runLoad(plan, signal)).length === 0;
    await until("all links are served", areServed, { timeoutMs: 60_000, signal });
  }
}
