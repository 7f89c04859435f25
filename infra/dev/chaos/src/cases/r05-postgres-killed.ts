import { setTimeout as delay } from "node:timers/promises";
import { atMost, type CheckResult, equals, none, observed } from "../check-result.ts";
import { countLinks } from "../evidence/postgres-activity.ts";
import { checkVitals, readVitals } from "../evidence/vitals.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { stopPostgresImmediately } from "../injectors/crash.ts";
import { checkRefusals } from "../load/check-refusals.ts";
import { checkVisits } from "../load/check-visits.ts";
import { type Create, makeCreates, productPages } from "../load/creates.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { runLoad } from "../load/load.ts";
import { makeLink, makeLinks } from "../load/make-links.ts";
import { visitFor, visitWhile } from "../load/visiting.ts";
import { type Visit, visitFailures, visitRequest } from "../load/visits.ts";
import { makeProjectedLinks, makeWarmLinks } from "../load/warm-links.ts";
import { secondsUntil } from "../until.ts";

const AWAY_S = 60;
/** Postgres goes, and comes back. */
const TRANSITIONS = 2;

export const postgresKilled: FaultCase = {
  id: "R5",
  title: "Postgres killed",
  mustHold:
    "cached (L1 or Redis): 0 failed; others 503 + Retry-After ≤ 300 ms, never 404, never cached; creates 503 + Retry-After ≤ 1 s, row count unchanged; creates work ≤ 3 s after return",
  done: "1,000 links in the memory of both replicas are visited 500 times a second, for 15 s as a baseline, then while Postgres is stopped immediately and stays away for 60 s. Meanwhile 1,000 links that are only in Redis are visited 30 times a second, links that only Postgres knows 20 times a second, and 10 links a second are to be made.",
  withinMs: 5 * 60_000,
  async run(trial) {
    const { testbed, say } = trial;
    const { databaseUrl } = testbed;
    const projected = await makeProjectedLinks(trial, 1_000);
    const visiting = { visits: await makeWarmLinks(trial, 1_000), perSecond: 500 };
    const cold = await insertLinks(databaseUrl, newCodes(20 * AWAY_S));
    const begun = await readVitals(testbed);
    const before = await visitFor(trial, visiting, 15);
    const broken = await readVitals(testbed);
    const links = await countLinks(databaseUrl);

    say("visiting them without Postgres");
    const [meanwhile, findings] = await visitWhile(trial, visiting, async () => {
      await stopPostgresImmediately(testbed);
      const refusals = await tryMeanwhile(trial, projected, cold);
      await testbed.start("Postgres");
      const linksAfter = await countLinks(databaseUrl);
      return [
        ...refusals,
        equals("rows of links more than before", linksAfter - links, 0),
        atMost("from its return until a link was made", await untilMade(trial), 3, "s"),
      ];
    });
    const over = await readVitals(testbed);
    const opened = await openAll(trial, cold, 200);
    return [
      ...checkVisits({ visits: visiting.visits, before, meanwhile, maxRatio: null }),
      ...findings,
      none("links refused meanwhile that do not open now", visitFailures(cold, opened)),
      ...checkVitals({ begun, broken, over, transitions: TRANSITIONS }),
    ];
  },
};

async function tryMeanwhile(
  trial: Trial,
  projected: Visit[],
  cold: Visit[],
): Promise<CheckResult[]> {
  const { signal } = trial;
  const [opened, refused, created] = await Promise.all([
    visitFor(trial, { visits: projected, perSecond: 30 }, AWAY_S),
    openAll(trial, cold, 20),
    makeLinks(trial, makeCreates(10 * AWAY_S, productPages(5)), 10),
    delay(AWAY_S * 1_000, undefined, { signal }),
  ]);
  return [
    observed("visits of links in Redis", opened.length),
    none("of these failed", visitFailures(projected, opened)),
    ...checkRefusals("visits of links that only Postgres knows", refused, 300),
    ...checkRefusals("creates", created, 1_000),
  ];
}

function openAll({ testbed, signal }: Trial, visits: readonly Visit[], perSecond: number) {
  const requests = visits.map(visitRequest);
  return runLoad({ origin: testbed.url, perSecond, requests, repeats: false }, signal);
}

function untilMade({ testbed, signal }: Trial): Promise<number> {
  const [create] = makeCreates(1, productPages(1)) as [Create];
  const isMade = () =>
    makeLink(testbed.url, create).then(
      () => true,
      () => false,
    );
  return secondsUntil(isMade, { withinMs: 30_000, signal });
}
