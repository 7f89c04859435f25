import { atMost, type CheckResult, equals, none, observed } from "../check-result.ts";
import {
  countExpiredLinks,
  findPartlyDeleted,
  insertExpiredLinks,
} from "../evidence/expired-links.ts";
import { readMetric } from "../evidence/metrics.ts";
import { areFetched, type PageRow, readPageRows } from "../evidence/page-rows.ts";
import { countFailedJobs } from "../evidence/queues.ts";
import { countPageRequests } from "../evidence/requested-pages.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { freeze, thaw } from "../injectors/freeze.ts";
import { createLink } from "../load/create-links.ts";
import { type LinkToCreate, newLinksToCreate, productPages } from "../load/creates.ts";
import { unexpectedResponses } from "../load/exchange.ts";
import { visitOnce } from "../load/visits/visit-load.ts";
import { adminPort } from "../testbed/testbed-config.ts";

const KILLS = 3;
const EXPIRED_LINKS = 50_000;
const VISITED_CODES = 200;

export const workerKilledMidJob: FaultCase = {
  id: "R14",
  title: "Worker killed repeatedly during a job",
  expected:
    "effect once (one products row, newest wins); done ≤ 15 s after the last start; 0 jobs failed by stalling; an interrupted purge leaves no partly deleted link",
  procedure:
    "A worker is killed with SIGKILL three times while it waits for one slow page. Then a worker is stopped with SIGSTOP while it waits for a page, and continues after a second worker has fetched that page. Then a worker is killed while it purges 50,000 expired links.",
  timeoutMs: 4 * 60_000,
  async run(trial) {
    const [first, second] = newLinksToCreate(2, productPages(2)) as [LinkToCreate, LinkToCreate];
    return [
      ...(await killRepeatedly(trial, first)),
      ...(await freezeBeyondJobLock(trial, second)),
      ...(await killWhilePurging(trial)),
      equals("failed jobs", await countFailedJobs(trial.testbed.config.queuePort), 0),
    ];
  },
};

async function killRepeatedly(trial: Trial, create: LinkToCreate): Promise<CheckResult[]> {
  const { testbed, log, until } = trial;
  const { amazonProxy, standIn } = testbed;
  log(`killing the worker ${KILLS} times during one page`);
  amazonProxy.holdResponses();
  await createLink(testbed.url, create);
  let lastStart = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(
      `the page is requested, time ${kill}`,
      () => countPageRequests(standIn, create.page) === kill,
      30_000,
    );
    await crash(testbed, "worker-1");
    if (kill === KILLS) amazonProxy.release();
    lastStart = performance.now();
    await testbed.start("worker-1");
  }
  await until("the page is fetched", () => areFetched(testbed.databaseUrl, [create.page]), 60_000);
  const seconds = (performance.now() - lastStart) / 1_000;
  return [
    atMost("time until the page was fetched after the last start", seconds, 15, "s"),
    ...(await checkEffect(trial, create, "after the kills")),
  ];
}

async function freezeBeyondJobLock(trial: Trial, create: LinkToCreate): Promise<CheckResult[]> {
  const { testbed, log, until } = trial;
  const { amazonProxy, standIn, databaseUrl, config } = testbed;
  const finishedFetches = () =>
    readMetric(adminPort(config, "worker-1"), "tapthru_job_duration_seconds_count", {
      queue: "scrape-metadata",
    });
  log("freezing the worker until another worker has done its job");
  const before = await finishedFetches();
  amazonProxy.holdResponses();
  await createLink(testbed.url, create);
  await until("the page is requested", () => countPageRequests(standIn, create.page) === 1, 30_000);
  freeze(testbed, "worker-1");
  amazonProxy.release();
  const started = performance.now();
  await testbed.start("worker-2");
  await until(
    "the second worker has fetched the page",
    () => areFetched(databaseUrl, [create.page]),
    60_000,
  );
  const seconds = (performance.now() - started) / 1_000;
  thaw(testbed, "worker-1");
  await until(
    "the first worker has finished",
    async () => (await finishedFetches()) > before,
    30_000,
  );
  return [
    atMost("time until a second worker fetched the page after its start", seconds, 15, "s"),
    ...(await checkEffect(trial, create, "after the freeze")),
  ];
}

/** Checks that the product and its link show one fetch, however often the job ran. */
async function checkEffect(
  { testbed, secondsUntil }: Trial,
  { page }: LinkToCreate,
  when: string,
): Promise<CheckResult[]> {
  const find = async () => (await readPageRows(testbed.databaseUrl)).get(page);
  const isPropagated = (row?: PageRow) =>
    row !== undefined && row.changes > 1 && row.unprojected === 0;
  const seconds = await secondsUntil(async () => isPropagated(await find()), 30_000);
  const row = await find();
  const asin = page.slice(-10);
  return [
    none(`${when}: wrong titles of the page`, row?.title?.includes(asin) ? [] : [`${row?.title}`]),
    equals(`${when}: product revisions`, row?.revision ?? 0, 1),
    equals(`${when}: failed attempts`, row?.attempts ?? -1, 0),
    equals(`${when}: link changes (created, product fetched)`, row?.changes ?? 0, 2),
    atMost(`${when}: time until the redirect record had them`, seconds, 10, "s"),
  ];
}

async function killWhilePurging(trial: Trial): Promise<CheckResult[]> {
  const { testbed, log, secondsUntil, until } = trial;
  const { databaseUrl } = testbed;
  await crash(testbed, "worker-1", "worker-2");
  log(`killing the worker while it purges ${EXPIRED_LINKS} links`);
  const codes = await insertExpiredLinks(databaseUrl, EXPIRED_LINKS);
  await testbed.start("worker-1");
  await until(
    "the purge has begun",
    async () => (await countExpiredLinks(databaseUrl)) < EXPIRED_LINKS,
    30_000,
    5,
  );
  await crash(testbed, "worker-1");
  const expiredLinksLeft = await countExpiredLinks(databaseUrl);
  const partlyDeleted = await findPartlyDeleted(databaseUrl, codes);
  await testbed.start("worker-1");
  const seconds = await secondsUntil(
    async () => (await countExpiredLinks(databaseUrl)) === 0,
    90_000,
  );
  return [
    observed("expired links left when the worker was killed", expiredLinksLeft),
    none("partly deleted links at that time", partlyDeleted),
    atMost("time until all links were purged after the worker was ready", seconds, 60, "s"),
    none("partly deleted links at the end", await findPartlyDeleted(databaseUrl, codes)),
    none("purged links that do not return 410", await findWithout410(trial, codes)),
  ];
}

async function findWithout410(trial: Trial, codes: readonly string[]): Promise<string[]> {
  const step = Math.ceil(codes.length / VISITED_CODES);
  const visited = codes.filter((_, index) => index % step === 0);
  const visits = visited.map((shortCode) => ({ shortCode, location: "" }));
  return unexpectedResponses([410], await visitOnce(trial, visits, 100));
}
