import { countUnprojected } from "../evidence/link-rows.ts";
import type { Trial } from "../fault-case.ts";
import { redirectDoors } from "../testbed/places.ts";
import { until } from "../until.ts";
import { insertLinks, newCodes } from "./insert-links.ts";
import { runLoad } from "./load.ts";
import { type Visit, visitFailures, visitRequest } from "./visits.ts";

const VISITS_PER_SECOND = 200;

/** Makes links whose records are in Redis, but in no replica's memory. */
export async function makeProjectedLinks(trial: Trial, count: number): Promise<Visit[]> {
  const visits = await insertLinks(trial.testbed.databaseUrl, newCodes(count), { isTold: true });
  await waitUntilProjected(trial);
  return visits;
}

export async function waitUntilProjected({ testbed, signal }: Trial): Promise<void> {
  const isProjected = async () => (await countUnprojected(testbed.databaseUrl)) === 0;
  await until("the links are in Redis", isProjected, { withinMs: 30_000, signal });
}

/** Makes links that every replica of the redirect has in its memory. */
export async function makeWarmLinks(trial: Trial, count: number): Promise<Visit[]> {
  trial.say(`warming up ${count} links`);
  const visits = await makeProjectedLinks(trial, count);
  await warmUp(trial, visits);
  return visits;
}

/** Opens links once at each replica, and again where that was too much at once. */
export async function warmUp({ testbed, signal }: Trial, visits: readonly Visit[]): Promise<void> {
  for (const { origin } of redirectDoors(testbed.places)) {
    const requests = visits.map(visitRequest);
    const plan = { origin, perSecond: VISITS_PER_SECOND, requests, repeats: false };
    const isWarm = async () => visitFailures(visits, await runLoad(plan, signal)).length === 0;
    await until("all links open", isWarm, { withinMs: 60_000, signal });
  }
}
