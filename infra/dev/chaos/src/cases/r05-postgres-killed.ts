import { setTimeout as delay } from "node:timers/promises";
import { atLeast, atMost, type CheckResult, equals, none } from "../check-result.ts";
import { countLinks } from "../evidence/postgres-activity.ts";
import { checkVitals, readVitals } from "../evidence/vitals.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { stopPostgresImmediately } from "../injectors/crash.ts";
import { checkRefusals } from "../load/check-refusals.ts";
import { createLink, createLinks } from "../load/create-links.ts";
import { type Create, newCreates, productPages } from "../load/creates.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { runLoad } from "../load/load.ts";
import { checkVisits } from "../load/visits/check-visits.ts";
import { visitFor, visitWhile } from "../load/visits/visit-load.ts";
import { type Visit, visitFailures, visitRequest } from "../load/visits/visits.ts";
import { insertProjectedLinks, insertWarmLinks } from "../load/visits/warm-links.ts";
import { secondsUntil } from "../until.ts";

const OUTAGE_S = 60;
/** Postgres becomes unavailable, then available. */
const TRANSITIONS = 2;

export const postgresKilled: FaultCase = {
  id: "R5",
  title: "Postgres killed",
  expected:
    "cached (L1 or Redis): 0 failed; others 503 + Retry-After ≤ 300 ms, never 404, never cached; creates 503 + Retry-After ≤ 1 s, row count unchanged; creates work ≤ 3 s after the restart",
  procedure:
    "1,000 links in the memory of both replicas are visited 500 times per second, first for a baseline of 15 s, then while Postgres is stopped in immediate mode and is unavailable for 60 s. During the outage, 1,000 links that are only in Redis are visited 30 times per second and links that are only in Postgres 20 times per second, and 10 creates per second are sent.",
  timeoutMs: 5 * 60_000,
  async run(trial) {
    const { testbed, log } = trial;
    const { databaseUrl } = testbed;
    const projected = await insertProjectedLinks(trial, 1_000);
    const visitLoad = { visits: await insertWarmLinks(trial, 1_000), perSecond: 500 };
    const cold = await insertLinks(databaseUrl, newCodes(20 * OUTAGE_S));
    const baseline = await readVitals(testbed);
    const before = await visitFor(trial, visitLoad, 15);
    const beforeFault = await readVitals(testbed);
    const links = await countLinks(databaseUrl);

    log("visiting them without Postgres");
    const [during, results] = await visitWhile(trial, visitLoad, async () => {
      await stopPostgresImmediately(testbed);
      const refusals = await loadDuringOutage(trial, projected, cold);
      await testbed.start("Postgres");
      const linksAfter = await countLinks(databaseUrl);
      return [
        ...refusals,
        equals("additional rows in links", linksAfter - links, 0),
        atMost(
          "time until a link was created after the restart of Postgres",
          await secondsUntilCreate(trial),
          3,
          "s",
        ),
      ];
    });
    const afterFault = await readVitals(testbed);
    const opened = await openAll(trial, cold, 200);
    return [
      ...checkVisits({ visits: visitLoad.visits, before, during, maxRatio: null }),
      ...results,
      none("links refused during the outage that fail afterwards", visitFailures(cold, opened)),
      ...checkVitals({ baseline, beforeFault, afterFault, transitions: TRANSITIONS }),
    ];
  },
};

async function loadDuringOutage(
  trial: Trial,
  projected: Visit[],
  cold: Visit[],
): Promise<CheckResult[]> {
  const { signal } = trial;
  const [opened, refused, created] = await Promise.all([
    visitFor(trial, { visits: projected, perSecond: 30 }, OUTAGE_S),
    openAll(trial, cold, 20),
    createLinks(trial, newCreates(10 * OUTAGE_S, productPages(5)), 10),
    delay(OUTAGE_S * 1_000, undefined, { signal }),
  ]);
  return [
    atLeast("visits of links in Redis", opened.length, projected.length),
    none("of these, failed", visitFailures(projected, opened)),
    ...checkRefusals("visits of links that are only in Postgres", refused, 300),
    ...checkRefusals("creates", created, 1_000),
  ];
}

function openAll({ testbed, signal }: Trial, visits: readonly Visit[], perSecond: number) {
  const requests = visits.map(visitRequest);
  return runLoad({ origin: testbed.url, perSecond, requests, total: requests.length }, signal);
}

function secondsUntilCreate({ testbed, signal }: Trial): Promise<number> {
  const [create] = newCreates(1, productPages(1)) as [Create];
  const isCreated = () =>
    createLink(testbed.url, create).then(
      () => true,
      () => false,
    );
  return secondsUntil(isCreated, { timeoutMs: 30_000, signal });
}
