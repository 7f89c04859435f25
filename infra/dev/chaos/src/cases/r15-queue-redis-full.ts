import { atLeast, atMost, type CheckResult, none, observed } from "../check-result.ts";
import { readMetric } from "../evidence/metrics.ts";
import { areFetched, findUnfetched } from "../evidence/page-rows.ts";
import { readinessReason } from "../evidence/readiness.ts";
import { countPageRequests } from "../evidence/requested-pages.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { configureRedis } from "../injectors/redis.ts";
import { createLinks } from "../load/create-links.ts";
import { newLinksToCreate, productPages } from "../load/creates.ts";
import { type Exchange, unexpectedResponses } from "../load/exchange.ts";
import { percentileMs } from "../load/latency.ts";
import { startLoad } from "../load/load.ts";
import { toVisits, visitFailures, visitRequest } from "../load/visits/visits.ts";
import { adminPort } from "../testbed/testbed-config.ts";

const WARM_LINKS = 200;
const VISITS_PER_SECOND = 200;
const CREATES_PER_SECOND = 20;
const READINESS_TIMEOUT_MS = 30_000;

export const queueRedisFull: FaultCase = {
  id: "R15",
  title: "Queue Redis full, or with a wrong eviction policy",
  expected:
    "creates 201, ≤ 100 ms slower; redirects unaffected; all jobs done ≤ 60 s after memory is available again; alert fired; wrong policy: the worker reports not ready with the reason",
  procedure:
    "200 links are visited 200 times per second throughout. 20 creates per second are sent for 10 s. Directly after a sweep, 20 creates per second of 12 new pages are sent for 15 s while the maxmemory of the queue Redis is below its use; then the limit is removed. Then its maxmemory-policy is set to allkeys-lru while one worker runs and another one starts.",
  timeoutMs: 6 * 60_000,
  run: async (trial) => [
    ...(await fillQueueRedis(trial)),
    ...(await useWrongEvictionPolicy(trial)),
  ],
};

async function fillQueueRedis(trial: Trial): Promise<CheckResult[]> {
  const { testbed, signal, log, until, secondsUntil } = trial;
  const { databaseUrl, config } = testbed;

  const warm = newLinksToCreate(WARM_LINKS, productPages(5));
  const visits = toVisits(warm, await createLinks(trial, warm, CREATES_PER_SECOND));
  const load = startLoad(
    {
      origin: testbed.url,
      perSecond: VISITS_PER_SECOND,
      requests: visits.map(visitRequest),
      total: null,
    },
    signal,
  );
  log("creating links without a fault");
  const before = await createLinks(
    trial,
    newLinksToCreate(10 * CREATES_PER_SECOND, productPages(20, 100)),
    CREATES_PER_SECOND,
  );

  log("waiting for the end of a sweep, so that no sweep runs during the fault");
  const countSweeps = () =>
    readMetric(adminPort(config, "worker-1"), "tapthru_jobs_total", {
      queue: "sweep-products",
    });
  const sweepsBefore = await countSweeps();
  await until("a sweep has ended", async () => (await countSweeps()) > sweepsBefore, 90_000);
  log("creating links while the queue Redis is full");
  await configureRedis(config.queuePort, "maxmemory", "1");
  const pages = productPages(12, 200);
  const [during, secondsUntilAlert] = await Promise.all([
    createLinks(trial, newLinksToCreate(15 * CREATES_PER_SECOND, pages), CREATES_PER_SECOND),
    secondsUntil(() => isAlerting(trial), 20_000),
  ]);
  await configureRedis(config.queuePort, "maxmemory", "0");

  log("waiting for the jobs");
  const seconds = await secondsUntil(() => areFetched(databaseUrl, pages), 120_000);
  load.stop();
  const visited = await load.done;
  return [
    none(
      "creates that did not return 201 while Redis was full",
      unexpectedResponses([201], during),
    ),
    atMost(
      "increase of the 95th percentile of creates",
      slowdownMs(before, during, 0.95),
      100,
      "ms",
    ),
    observed(
      "increase of the 99th percentile of creates (ms)",
      Math.round(slowdownMs(before, during, 0.99)),
    ),
    atMost("time until the worker's metrics reported a full Redis", secondsUntilAlert, 20, "s"),
    atLeast("visits", visited.length, WARM_LINKS),
    none("failed visits", visitFailures(visits, visited)),
    atMost("time until every page was fetched after memory was restored", seconds, 60, "s"),
    none("pages never fetched", await findUnfetched(databaseUrl, pages)),
    observed(
      "pages requested more than once",
      pages.filter((page) => countPageRequests(testbed.standIn, page) > 1).length,
    ),
  ];
}

/** The same condition as the alert for a full queue Redis. */
async function isAlerting({ testbed }: Trial): Promise<boolean> {
  const port = adminPort(testbed.config, "worker-1");
  const bytes = (kind: string) => readMetric(port, `tapthru_queue_memory_${kind}_bytes`);
  const max = await bytes("max");
  return max > 0 && (await bytes("used")) > 0.9 * max;
}

function slowdownMs(before: readonly Exchange[], now: readonly Exchange[], share: number): number {
  return percentileMs(now, share) - percentileMs(before, share);
}

async function useWrongEvictionPolicy({
  testbed,
  log,
  secondsUntil,
  until,
}: Trial): Promise<CheckResult[]> {
  const { config } = testbed;
  const runningPort = adminPort(config, "worker-1");
  const startingPort = adminPort(config, "worker-2");
  log("setting a wrong eviction policy in the queue Redis");
  await configureRedis(config.queuePort, "maxmemory-policy", "allkeys-lru");

  const reportsPolicy = async (port: number) => namesPolicy(await readinessReason(port));
  const watch = async () => {
    const secondsUntilNotReady = await secondsUntil(
      () => reportsPolicy(runningPort),
      READINESS_TIMEOUT_MS,
    );
    await until(
      "the second worker reports the policy",
      () => reportsPolicy(startingPort),
      READINESS_TIMEOUT_MS,
    );
    const reason = await readinessReason(startingPort);
    await configureRedis(config.queuePort, "maxmemory-policy", "noeviction");
    return { secondsUntilNotReady, reason };
  };
  // The second worker becomes ready only after the policy is restored.
  const [{ secondsUntilNotReady, reason }] = await Promise.all([
    watch(),
    testbed.start("worker-2"),
  ]);
  const secondsUntilReady = await secondsUntil(
    async () => (await readinessReason(runningPort)) === null,
    READINESS_TIMEOUT_MS,
  );
  return [
    atMost("time until a running worker was not ready", secondsUntilNotReady, 20, "s"),
    observed("readiness reason of a starting worker", String(reason)),
    atMost("time until it was ready again", secondsUntilReady, 20, "s"),
  ];
}

function namesPolicy(reason: string | null): boolean {
  return reason?.includes("maxmemory-policy is allkeys-lru") ?? false;
}
