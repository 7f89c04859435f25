import { atLeast, atMost, type CheckResult, none } from "../check-result.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash, stopPostgresImmediately } from "../injectors/crash.ts";
import { checkRefusals } from "../load/check-refusals.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { retireLinks } from "../load/retire-links.ts";
import { visitFor, visitOnce } from "../load/visits/visit-load.ts";
import { codesOf, type Visit, visitFailures } from "../load/visits/visits.ts";
import { insertProjectedLinks, waitUntilProjected } from "../load/visits/warm-links.ts";

const REDIRECT_REPLICAS = ["redirect-1", "redirect-2"] as const;
const VISIT_DURATION_S = 30;

export const coldFleetWithoutPostgres: FaultCase = {
  id: "R26",
  title: "All redirects restarted while Postgres is down",
  expected:
    "links in Redis: 0 failed; deleted ones 404; others 503 + Retry-After ≤ 300 ms; ready ≤ 45 s after Postgres stopped; normal operation ≤ 3 s after its restart",
  procedure:
    "1,000 links are in Redis, and tombstones of 100 others. Postgres is stopped in immediate mode, both redirects are killed with SIGKILL and started again. Then links in Redis are visited 200 times per second for 30 s, deleted links and links that are only in Postgres 20 times per second each. Then Postgres is started.",
  timeoutMs: 4 * 60_000,
  async run(trial) {
    const { testbed, log } = trial;
    const { databaseUrl } = testbed;
    const known = await insertProjectedLinks(trial, 1_000);
    const deleted = await insertProjectedLinks(trial, 100);
    await retireLinks(databaseUrl, codesOf(deleted));
    await waitUntilProjected(trial);
    const cold = await insertLinks(databaseUrl, newCodes(20 * VISIT_DURATION_S));

    log("restarting both redirects without Postgres");
    await stopPostgresImmediately(testbed);
    const since = performance.now();
    await crash(testbed, ...REDIRECT_REPLICAS);
    await testbed.start(...REDIRECT_REPLICAS);
    const readyAfterS = (performance.now() - since) / 1_000;

    log("visiting links");
    const results = await visitDuringOutage(trial, known, deleted, cold);
    await testbed.start("Postgres");
    return [
      atMost(
        "time until both replicas were ready after Postgres was stopped",
        readyAfterS,
        45,
        "s",
      ),
      ...results,
      atMost(
        "time until a link missing in Redis was served after the restart of Postgres",
        await secondsUntilOpen(trial, cold),
        3,
        "s",
      ),
      none(
        "links refused during the outage that fail afterwards",
        visitFailures(cold, await visitOnce(trial, cold, 200)),
      ),
    ];
  },
};

async function visitDuringOutage(
  trial: Trial,
  known: Visit[],
  deleted: Visit[],
  cold: Visit[],
): Promise<CheckResult[]> {
  const [opened, openedDeleted, refused] = await Promise.all([
    visitFor(trial, { visits: known, perSecond: 200 }, VISIT_DURATION_S),
    visitFor(trial, { visits: deleted, perSecond: 20 }, VISIT_DURATION_S),
    visitOnce(trial, cold, 20),
  ]);
  const notDeleted = openedDeleted.filter(({ response }) => response?.status !== 404);
  return [
    atLeast("visits of links in Redis", opened.length, known.length),
    none("of these, failed", visitFailures(known, opened)),
    atLeast("visits of deleted links", openedDeleted.length, deleted.length),
    none(
      "of these, not 404",
      notDeleted.map(({ response }) => `status ${response?.status}`),
    ),
    ...checkRefusals("visits of links that are only in Postgres", refused, 300),
  ];
}

function secondsUntilOpen(trial: Trial, cold: Visit[]): Promise<number> {
  const [one] = cold as [Visit];
  const isOpen = async () => visitFailures([one], await visitOnce(trial, [one], 1)).length === 0;
  return trial.secondsUntil(isOpen, 30_000);
}
