import { atMost, type CheckResult, equals, none, observed } from "../check-result.ts";
import {
  countExpiredLinks,
  findPartlyDeleted,
  insertExpiredLinks,
} from "../evidence/expired-links.ts";
import { readMetric } from "../evidence/metrics.ts";
import { areRead, type PageRow, readPageRows } from "../evidence/page-rows.ts";
import { countFailedJobs } from "../evidence/queues.ts";
import { timesAsked } from "../evidence/requested-pages.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { freeze, thaw } from "../injectors/freeze.ts";
import { type Create, makeCreates, productPages } from "../load/creates.ts";
import { unexpectedResponses } from "../load/exchange.ts";
import { runLoad } from "../load/load.ts";
import { makeLink } from "../load/make-links.ts";
import { visitRequest } from "../load/visits.ts";
import type { Testbed } from "../testbed/testbed.ts";
import { secondsUntil, until } from "../until.ts";

const KILLS = 3;
const EXPIRED_LINKS = 50_000;
const VISITED_CODES = 200;

export const workerKilledMidJob: FaultCase = {
  id: "R14",
  title: "Worker killed mid-job, again and again",
  mustHold:
    "effect once (one products row, newest wins); done ≤ 15 s after the last start; 0 jobs failed by stalling; purge interrupted midway leaves no link half-gone",
  done: "A worker is killed with -9 three times while it waits for one slow page. Then a worker is stopped by SIGSTOP while it waits for a page, goes on only when a second worker has read that page, and brings its own reading to an end. Then a worker is killed in the midst of purging 50,000 expired links.",
  withinMs: 4 * 60_000,
  async run(trial) {
    const [first, second] = makeCreates(2, productPages(2)) as [Create, Create];
    return [
      ...(await killAgainAndAgain(trial, first)),
      ...(await freezePastTheLock(trial, second)),
      ...(await killWhilePurging(trial)),
      equals("jobs given up", await countFailedJobs(trial.testbed.places.queuePort), 0),
    ];
  },
};

async function killAgainAndAgain(trial: Trial, create: Create): Promise<CheckResult[]> {
  const { testbed, signal, say } = trial;
  const { amazonWire, standIn } = testbed;
  say(`killing the worker ${KILLS} times over one page`);
  amazonWire.holdResponses();
  await makeLink(testbed.url, create);
  let lastStart = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(
      `the page is asked for, time ${kill}`,
      () => timesAsked(standIn, create.page) === kill,
      { withinMs: 30_000, signal },
    );
    await crash(testbed, "worker-1");
    if (kill === KILLS) amazonWire.release();
    lastStart = performance.now();
    await testbed.start("worker-1");
  }
  await until("the page is read", () => areRead(testbed.databaseUrl, [create.page]), {
    withinMs: 60_000,
    signal,
  });
  const seconds = (performance.now() - lastStart) / 1_000;
  return [
    atMost("from the last start after three kills until the page was read", seconds, 15, "s"),
    ...(await judgeEffect(trial, create, "after the kills")),
  ];
}

async function freezePastTheLock(trial: Trial, create: Create): Promise<CheckResult[]> {
  const { testbed, signal, say } = trial;
  const { amazonWire, standIn, databaseUrl, places } = testbed;
  const endedReadings = () =>
    readMetric(places.first.ports.WORKER_ADMIN_PORT, "tapthru_job_duration_seconds_count", {
      queue: "scrape-metadata",
    });
  say("freezing the worker until another one has done its job");
  const before = await endedReadings();
  amazonWire.holdResponses();
  await makeLink(testbed.url, create);
  await until("the page is asked for", () => timesAsked(standIn, create.page) === 1, {
    withinMs: 30_000,
    signal,
  });
  freeze(testbed, "worker-1");
  amazonWire.release();
  const started = performance.now();
  await testbed.start("worker-2");
  await until("the second worker has read it", () => areRead(databaseUrl, [create.page]), {
    withinMs: 60_000,
    signal,
  });
  const seconds = (performance.now() - started) / 1_000;
  thaw(testbed, "worker-1");
  await until("the first worker is done too", async () => (await endedReadings()) > before, {
    withinMs: 30_000,
    signal,
  });
  return [
    atMost("from the start of a second worker until it had read the page", seconds, 15, "s"),
    ...(await judgeEffect(trial, create, "after the freeze")),
  ];
}

/** One reading is to be seen, however often it was begun: in the page, and in its link. */
async function judgeEffect(
  { testbed, signal }: Trial,
  { page }: Create,
  when: string,
): Promise<CheckResult[]> {
  const find = async () => (await readPageRows(testbed.databaseUrl)).get(page);
  const isTold = (row?: PageRow) => row !== undefined && row.changes > 1 && row.unprojected === 0;
  const seconds = await secondsUntil(async () => isTold(await find()), {
    withinMs: 30_000,
    signal,
  });
  const row = await find();
  const asin = page.slice(-10);
  return [
    none(`${when}: wrong titles of the page`, row?.title?.includes(asin) ? [] : [`${row?.title}`]),
    equals(`${when}: changes of what the page shows`, row?.revision ?? 0, 1),
    equals(`${when}: readings that came to nothing`, row?.attempts ?? -1, 0),
    equals(`${when}: changes of the link, made and told of the page`, row?.changes ?? 0, 2),
    atMost(`${when}: until the redirect record had them`, seconds, 10, "s"),
  ];
}

async function killWhilePurging({ testbed, signal, say }: Trial): Promise<CheckResult[]> {
  const { databaseUrl } = testbed;
  await crash(testbed, "worker-1");
  await crash(testbed, "worker-2");
  say(`killing the worker while it purges ${EXPIRED_LINKS} links`);
  const codes = await insertExpiredLinks(databaseUrl, EXPIRED_LINKS);
  await testbed.start("worker-1");
  await until(
    "the purge has begun",
    async () => (await countExpiredLinks(databaseUrl)) < EXPIRED_LINKS,
    { withinMs: 30_000, everyMs: 5, signal },
  );
  await crash(testbed, "worker-1");
  const left = await countExpiredLinks(databaseUrl);
  const halfGone = await findPartlyDeleted(databaseUrl, codes);
  await testbed.start("worker-1");
  const seconds = await secondsUntil(async () => (await countExpiredLinks(databaseUrl)) === 0, {
    withinMs: 90_000,
    signal,
  });
  return [
    observed("expired links left when the worker was killed", left),
    none("links half-gone then", halfGone),
    atMost("from the worker's next readiness until all were purged", seconds, 60, "s"),
    none("links half-gone at the end", await findPartlyDeleted(databaseUrl, codes)),
    none("purged links that do not answer 410", await notGone(testbed, codes, signal)),
  ];
}

async function notGone(
  testbed: Testbed,
  codes: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const step = Math.ceil(codes.length / VISITED_CODES);
  const visited = codes.filter((_, index) => index % step === 0);
  const requests = visited.map((shortCode) => visitRequest({ shortCode, location: "" }));
  const plan = { origin: testbed.url, perSecond: 100, requests, repeats: false };
  return unexpectedResponses([410], await runLoad(plan, signal));
}
