import { atLeast, atMost, type CheckResult, equals, none } from "../check-result.ts";
import { countLinks } from "../evidence/postgres-activity.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { stopPostgresImmediately } from "../injectors/crash.ts";
import { checkRefusals } from "../load/check-refusals.ts";
import { createLinks, createProbe } from "../load/create-links.ts";
import { newLinksToCreate, productPages } from "../load/creates.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { visitDuringFault } from "../load/visits/visit-during-fault.ts";
import { visitFor, visitOnce } from "../load/visits/visit-load.ts";
import { type Visit, visitFailures } from "../load/visits/visits.ts";
import { insertProjectedLinks } from "../load/visits/warm-links.ts";

const VISITS = { links: 1_000, perSecond: 500, baselineS: 15, maxRatio: null, transitions: 2 };
const OUTAGE_S = 60;

export const postgresKilled: FaultCase = {
  id: "R5",
  title: "Postgres killed",
  expected:
    "cached (L1 or Redis): 0 failed; others 503 + Retry-After ≤ 300 ms, never 404, never cached; creates 503 + Retry-After ≤ 1 s, row count unchanged; creates work ≤ 3 s after the restart",
  procedure:
    "1,000 links in the memory of both replicas are visited 500 times per second, first for a baseline of 15 s, then while Postgres is stopped in immediate mode and is unavailable for 60 s. During the outage, 1,000 links that are only in Redis are visited 30 times per second and links that are only in Postgres 20 times per second, and 10 creates per second are sent.",
  timeoutMs: 5 * 60_000,
  async run(trial) {
    const { testbed } = trial;
    const { databaseUrl } = testbed;
    const projected = await insertProjectedLinks(trial, 1_000);
    const cold = await insertLinks(databaseUrl, newCodes(20 * OUTAGE_S));
    const results = await visitDuringFault(trial, VISITS, async () => {
      const links = await countLinks(databaseUrl);
      await stopPostgresImmediately(testbed);
      const refusals = await loadDuringOutage(trial, projected, cold);
      await testbed.start("Postgres");
      const linksAfter = await countLinks(databaseUrl);
      const seconds = await trial.secondsUntil(createProbe(trial), 30_000);
      return [
        ...refusals,
        equals("additional rows in links", linksAfter - links, 0),
        atMost("time until a link was created after the restart of Postgres", seconds, 3, "s"),
      ];
    });
    const opened = await visitOnce(trial, cold, 200);
    return [
      ...results,
      none("links refused during the outage that fail afterwards", visitFailures(cold, opened)),
    ];
  },
};

async function loadDuringOutage(
  trial: Trial,
  projected: Visit[],
  cold: Visit[],
): Promise<CheckResult[]> {
  const [opened, refused, created] = await Promise.all([
    visitFor(trial, { visits: projected, perSecond: 30 }, OUTAGE_S),
    visitOnce(trial, cold, 20),
    createLinks(trial, newLinksToCreate(10 * OUTAGE_S, productPages(5)), 10),
    trial.pause(OUTAGE_S * 1_000),
  ]);
  return [
    atLeast("visits of links in Redis", opened.length, projected.length),
    none("of these, failed", visitFailures(projected, opened)),
    ...checkRefusals("visits of links that are only in Postgres", refused, 300),
    ...checkRefusals("creates", created, 1_000),
  ];
}
