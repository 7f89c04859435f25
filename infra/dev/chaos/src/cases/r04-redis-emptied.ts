import { listLinks } from "@tapthru/proto/http/links";
import { atMost, type CheckResult, equals, none, observed } from "../check-result.ts";
import { isOutboxProjected } from "../evidence/link-rows.ts";
import { areFetched, findUnfetched } from "../evidence/page-rows.ts";
import { countSettledLookups } from "../evidence/postgres-activity.ts";
import { countSchedules } from "../evidence/queues.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { flushRedis } from "../injectors/redis.ts";
import { createLinks } from "../load/create-links.ts";
import { newLinksToCreate, productPages } from "../load/creates.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { type Owner, signUpOwner } from "../load/owner.ts";
import { checkVisits } from "../load/visits/check-visits.ts";
import { openLink } from "../load/visits/open-link.ts";
import { visitFor, visitWhile } from "../load/visits/visit-load.ts";
import { type Visit, visitError } from "../load/visits/visits.ts";
import { insertWarmLinks } from "../load/visits/warm-links.ts";
import { redirectEndpoints } from "../testbed/testbed-config.ts";

const WARM_LINKS = 1_000;
const VISITORS_AT_ONCE = 200;
const PAGES = 12;
/** How long the new replica is visited. */
const REFILL_MS = 15_000;

export const redisEmptied: FaultCase = {
  id: "R4",
  title: "Redis emptied under load",
  expected:
    "0 failed; ≤ 1 DB read per code per replica (single flight); all waiting jobs and schedulers exist again ≤ 60 s with no deploy; signed-in users get 401 and the silent login, never 500",
  procedure:
    "1,000 links in memory are visited 300 times per second through nginx. FLUSHALL empties both Redis servers while jobs wait for twelve pages whose responses are held. Then FLUSHALL runs again, one replica of redirect restarts with an empty memory, and 200 concurrent visitors open one link there that is only in Postgres.",
  timeoutMs: 6 * 60_000,
  async run(trial) {
    const { testbed, log, pause } = trial;
    const { databaseUrl, config } = testbed;
    const owner = await signUpOwner(testbed);
    const visitLoad = { visits: await insertWarmLinks(trial, WARM_LINKS), perSecond: 300 };
    const before = await visitFor(trial, visitLoad, 10);
    const [popularVisit] = await insertLinks(databaseUrl, newCodes(1));
    const lookupsBefore = await countSettledLookups(trial);

    log("emptying both Redis");
    const [during, results] = await visitWhile(trial, visitLoad, async () => {
      const jobs = await flushJobs(trial);
      const session = await useLostSession(owner);
      await flushRedis(config.cachePort);
      await testbed.processes.end("redirect-2", "SIGTERM");
      await testbed.start("redirect-2");
      const concurrent = await openConcurrently(trial, popularVisit as Visit);
      await pause(REFILL_MS);
      return [...jobs, ...session, ...concurrent];
    });
    const lookups = (await countSettledLookups(trial)) - lookupsBefore;
    return [
      ...checkVisits({ visits: visitLoad.visits, before, during, maxRatio: null }),
      ...results,
      // The new replica causes one lookup per link, and the worker two per page that it fetched.
      atMost("lookups in Postgres", lookups, WARM_LINKS + 1 + 2 * PAGES),
    ];
  },
};

async function flushJobs(trial: Trial): Promise<CheckResult[]> {
  const { testbed, log, secondsUntil } = trial;
  const { databaseUrl, config, amazonProxy } = testbed;
  const schedules = await countSchedules(config.queuePort);
  const pages = productPages(PAGES, 100);
  amazonProxy.holdResponses();
  const created = await createLinks(trial, newLinksToCreate(PAGES, pages), 20);
  const failed = created.filter(({ response }) => response?.status !== 201).length;
  await Promise.all([flushRedis(config.cachePort), flushRedis(config.queuePort)]);
  const schedulesAfter = await countSchedules(config.queuePort);
  amazonProxy.release();
  log("waiting for the jobs");
  const secondsUntilScheduled = await secondsUntil(
    async () => (await countSchedules(config.queuePort)) === schedules,
    90_000,
  );
  const secondsUntilFetched = await secondsUntil(() => areFetched(databaseUrl, pages), 90_000);
  await secondsUntil(() => isOutboxProjected(databaseUrl), 30_000);
  return [
    equals("failed creates", failed, 0),
    observed("job schedules before and after FLUSHALL", `${schedules}, ${schedulesAfter}`),
    atMost("time until all schedules existed again", secondsUntilScheduled, 60, "s"),
    atMost(
      "time until every page was fetched",
      secondsUntilScheduled + secondsUntilFetched,
      60,
      "s",
    ),
    none("pages never fetched", await findUnfetched(databaseUrl, pages)),
  ];
}

/** FLUSHALL has deleted the session. */
async function useLostSession(owner: Owner): Promise<CheckResult[]> {
  const list = async () => (await owner.request(listLinks.method, listLinks.path)).status;
  return [
    equals("status for a signed-in user after FLUSHALL", await list(), 401),
    equals("status of the silent login", (await owner.logIn()).status, 200),
    equals("status for the user after the silent login", await list(), 200),
  ];
}

async function openConcurrently({ testbed }: Trial, popularVisit: Visit): Promise<CheckResult[]> {
  const [, { origin }] = redirectEndpoints(testbed.config);
  const pending = Array.from({ length: VISITORS_AT_ONCE }, () => openLink(origin, popularVisit));
  const openings = await Promise.all(pending);
  return [
    none(
      `failed visits of ${VISITORS_AT_ONCE} concurrent visitors of one cold link`,
      openings.flatMap(({ response }) => visitError(popularVisit, response) ?? []),
    ),
  ];
}
