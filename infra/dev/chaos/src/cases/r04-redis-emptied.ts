import { setTimeout as delay } from "node:timers/promises";
import { listLinks } from "@tapthru/proto/http/links";
import { atMost, type CheckResult, equals, none, observed } from "../check-result.ts";
import { countUnprojected } from "../evidence/link-rows.ts";
import { areRead, findUnread } from "../evidence/page-rows.ts";
import { countAllLookUps } from "../evidence/postgres-activity.ts";
import { countSchedules } from "../evidence/queues.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { flushRedis } from "../injectors/redis-commands.ts";
import { checkVisits } from "../load/check-visits.ts";
import { makeCreates, productPages } from "../load/creates.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { makeLinks } from "../load/make-links.ts";
import { openLink } from "../load/open-link.ts";
import { type Owner, signUpOwner } from "../load/owner.ts";
import { visitFor, visitWhile } from "../load/visiting.ts";
import { type Visit, visitError } from "../load/visits.ts";
import { makeWarmLinks } from "../load/warm-links.ts";
import { redirectDoors } from "../testbed/places.ts";
import { secondsUntil } from "../until.ts";

const WARM_LINKS = 1_000;
const VISITORS_AT_ONCE = 200;
const PAGES = 12;
/** So long the new replica is visited. */
const REFILL_MS = 15_000;

export const redisEmptied: FaultCase = {
  id: "R4",
  title: "Redis emptied under load",
  mustHold:
    "0 failed; ≤ 1 DB read per code per replica (single flight); all waiting jobs and schedulers exist again ≤ 60 s with no deploy; signed-in people get 401 and the silent login, never 500",
  done: "1,000 links in memory are visited 300 times a second through nginx. FLUSHALL empties both Redis while jobs wait for twelve pages that Amazon holds back. Then FLUSHALL again while one replica of the redirect starts anew, with nothing in its memory, and 200 visitors at once open there one link that only Postgres knows.",
  withinMs: 6 * 60_000,
  async run(trial) {
    const { testbed, signal, say } = trial;
    const { databaseUrl, places } = testbed;
    const owner = await signUpOwner(testbed);
    const visiting = { visits: await makeWarmLinks(trial, WARM_LINKS), perSecond: 300 };
    const before = await visitFor(trial, visiting, 10);
    const [viral] = await insertLinks(databaseUrl, newCodes(1));
    const lookUpsBefore = await countAllLookUps(databaseUrl, signal);

    say("emptying both Redis");
    const [meanwhile, findings] = await visitWhile(trial, visiting, async () => {
      const jobs = await loseJobs(trial);
      const session = await loseSession(owner);
      await flushRedis(places.cachePort);
      await testbed.processes.end("redirect-2", "SIGTERM");
      await testbed.start("redirect-2");
      const atOnce = await openAtOnce(trial, viral as Visit);
      await delay(REFILL_MS, undefined, { signal });
      return [...jobs, ...session, ...atOnce];
    });
    const lookUps = (await countAllLookUps(databaseUrl, signal)) - lookUpsBefore;
    return [
      ...checkVisits({ visits: visiting.visits, before, meanwhile, maxRatio: null }),
      ...findings,
      // Every link once for the new replica, and those whose pages were read for the worker.
      atMost("look-ups in Postgres", lookUps, WARM_LINKS + 1 + 2 * PAGES),
    ];
  },
};

async function loseJobs(trial: Trial): Promise<CheckResult[]> {
  const { testbed, signal, say } = trial;
  const { databaseUrl, places, amazonWire } = testbed;
  const schedules = await countSchedules(places.queuePort);
  const pages = productPages(PAGES, 100);
  amazonWire.holdResponses();
  const made = await makeLinks(trial, makeCreates(PAGES, pages), 20);
  const failed = made.filter(({ answer }) => answer?.status !== 201).length;
  await Promise.all([flushRedis(places.cachePort), flushRedis(places.queuePort)]);
  const left = await countSchedules(places.queuePort);
  amazonWire.release();
  say("waiting for the jobs");
  const untilScheduled = await secondsUntil(
    async () => (await countSchedules(places.queuePort)) === schedules,
    { withinMs: 90_000, signal },
  );
  const untilRead = await secondsUntil(() => areRead(databaseUrl, pages), {
    withinMs: 90_000,
    signal,
  });
  await secondsUntil(async () => (await countUnprojected(databaseUrl)) === 0, {
    withinMs: 30_000,
    signal,
  });
  return [
    equals("creates that failed", failed, 0),
    observed("schedules of jobs before, and after FLUSHALL", `${schedules}, ${left}`),
    atMost("until all schedules were there again", untilScheduled, 60, "s"),
    atMost("until every page had been read", untilScheduled + untilRead, 60, "s"),
    none("pages never read", await findUnread(databaseUrl, pages)),
  ];
}

/** The session is gone by now. */
async function loseSession(owner: Owner): Promise<CheckResult[]> {
  const list = async () => (await owner.ask(listLinks.method, listLinks.path)).status;
  return [
    equals("status for somebody signed in, afterwards", await list(), 401),
    equals("status of the silent login", (await owner.logIn()).status, 200),
    equals("status after that", await list(), 200),
  ];
}

async function openAtOnce({ testbed }: Trial, viral: Visit): Promise<CheckResult[]> {
  const [, { origin }] = redirectDoors(testbed.places);
  const opening = Array.from({ length: VISITORS_AT_ONCE }, () => openLink(origin, viral));
  const openings = await Promise.all(opening);
  return [
    none(
      `of ${VISITORS_AT_ONCE} visitors at once of one cold link, failed`,
      openings.flatMap(({ answer }) => visitError(viral, answer) ?? []),
    ),
  ];
}
