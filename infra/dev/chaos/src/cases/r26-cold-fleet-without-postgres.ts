import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash, stopPostgresImmediately } from "../injectors/crash.ts";
import { checkRefusals } from "../load/check-refusals.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { runLoad } from "../load/load.ts";
import { retireLinks } from "../load/retire-links.ts";
import { visitFor } from "../load/visiting.ts";
import { type Visit, visitFailures, visitRequest } from "../load/visits.ts";
import { makeProjectedLinks, waitUntilProjected } from "../load/warm-links.ts";
import { secondsUntil } from "../until.ts";

const REDIRECTS = ["redirect-1", "redirect-2"] as const;
const VISITED_S = 30;

export const coldFleetWithoutPostgres: FaultCase = {
  id: "R26",
  title: "All redirects restarted while Postgres is down",
  mustHold:
    "links that Redis knows: 0 failed; deleted ones 404; others 503 + Retry-After ≤ 300 ms; ready ≤ 45 s after Postgres went; as ever ≤ 3 s after its return",
  done: "1,000 links are in Redis, and 100 others as deleted. Postgres is stopped immediately, both redirects are killed with -9 and started again. Then links in Redis are visited 200 times a second for 30 s, deleted ones and links that only Postgres knows 20 times a second. Postgres comes back.",
  withinMs: 4 * 60_000,
  async run(trial) {
    const { testbed, say } = trial;
    const { databaseUrl } = testbed;
    const known = await makeProjectedLinks(trial, 1_000);
    const deleted = await makeProjectedLinks(trial, 100);
    await retireLinks(databaseUrl, codesOf(deleted));
    await waitUntilProjected(trial);
    const cold = await insertLinks(databaseUrl, newCodes(20 * VISITED_S));

    say("restarting both redirects without Postgres");
    await stopPostgresImmediately(testbed);
    const since = performance.now();
    await Promise.all(REDIRECTS.map((name) => crash(testbed, name)));
    await Promise.all(REDIRECTS.map(testbed.start));
    const readyAfterS = (performance.now() - since) / 1_000;

    say("visiting links");
    const findings = await visitMeanwhile(trial, known, deleted, cold);
    await testbed.start("Postgres");
    return [
      atMost("from the end of Postgres until both were ready", readyAfterS, 45, "s"),
      ...findings,
      atMost(
        "from its return until a link opened that Redis lacks",
        await untilOpen(trial, cold),
        3,
        "s",
      ),
      none(
        "of the links refused meanwhile not opened then",
        visitFailures(cold, await openAll(trial, cold, 200)),
      ),
    ];
  },
};

async function visitMeanwhile(
  trial: Trial,
  known: Visit[],
  deleted: Visit[],
  cold: Visit[],
): Promise<CheckResult[]> {
  const [opened, gone, refused] = await Promise.all([
    visitFor(trial, { visits: known, perSecond: 200 }, VISITED_S),
    visitFor(trial, { visits: deleted, perSecond: 20 }, VISITED_S),
    openAll(trial, cold, 20),
  ]);
  const undead = gone.filter(({ answer }) => answer?.status !== 404);
  return [
    observed("visits of links in Redis", opened.length),
    none("of these failed", visitFailures(known, opened)),
    observed("visits of deleted links", gone.length),
    none(
      "of these not 404",
      undead.map(({ answer }) => `status ${answer?.status}`),
    ),
    ...checkRefusals("visits of links that only Postgres knows", refused, 300),
  ];
}

function untilOpen(trial: Trial, cold: Visit[]): Promise<number> {
  const [one] = cold as [Visit];
  const isOpen = async () => visitFailures([one], await openAll(trial, [one], 1)).length === 0;
  return secondsUntil(isOpen, { withinMs: 30_000, signal: trial.signal });
}

function openAll({ testbed, signal }: Trial, visits: readonly Visit[], perSecond: number) {
  const requests = visits.map(visitRequest);
  return runLoad({ origin: testbed.url, perSecond, requests, repeats: false }, signal);
}

function codesOf(visits: readonly Visit[]): string[] {
  return visits.map(({ shortCode }) => shortCode);
}
