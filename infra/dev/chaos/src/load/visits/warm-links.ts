import { isOutboxProjected } from "../../evidence/link-rows.ts";
import type { Trial } from "../../fault-case.ts";
import { redirectEndpoints } from "../../testbed/testbed-config.ts";
import { insertLinks, newCodes } from "../insert-links.ts";
import { visitOnce } from "./visit-load.ts";
import { type Visit, visitFailures } from "./visits.ts";

const VISITS_PER_SECOND = 200;

/** Inserts links and waits until their records are in Redis; no replica has them in memory. */
export async function insertProjectedLinks(trial: Trial, count: number): Promise<Visit[]> {
  const visits = await insertLinks(trial.testbed.databaseUrl, newCodes(count), {
    addToOutbox: true,
  });
  await waitUntilProjected(trial);
  return visits;
}

export async function waitUntilProjected({ testbed, until }: Trial): Promise<void> {
  await until("the links are in Redis", () => isOutboxProjected(testbed.databaseUrl), 30_000);
}

/** Inserts links and loads them into the memory of every redirect replica. */
export async function insertWarmLinks(trial: Trial, count: number): Promise<Visit[]> {
  trial.log(`warming up ${count} links`);
  const visits = await insertProjectedLinks(trial, count);
  await warmCaches(trial, visits);
  return visits;
}

/** Visits all links at each replica, repeatedly until all visits succeed. */
export async function warmCaches(trial: Trial, visits: readonly Visit[]): Promise<void> {
  const { testbed, until } = trial;
  for (const { origin } of redirectEndpoints(testbed.config)) {
    const visitAll = () => visitOnce(trial, visits, VISITS_PER_SECOND, origin);
    const areServed = async () => visitFailures(visits, await visitAll()).length === 0;
    await until("all links are served", areServed, 60_000);
  }
}
