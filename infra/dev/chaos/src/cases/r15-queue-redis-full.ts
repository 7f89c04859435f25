import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import { readMetric } from "../evidence/metrics.ts";
import { areRead, findUnread } from "../evidence/page-rows.ts";
import { readinessReason } from "../evidence/readiness.ts";
import { timesAsked } from "../evidence/requested-pages.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { fillRedis, giveRedisMemory, setEvictionPolicy } from "../injectors/redis-memory.ts";
import { makeCreates, productPages } from "../load/creates.ts";
import { type Exchange, unexpectedResponses } from "../load/exchange.ts";
import { percentileMs } from "../load/latency.ts";
import { startLoad } from "../load/load.ts";
import { makeLinks } from "../load/make-links.ts";
import { makeVisits, visitFailures, visitRequest } from "../load/visits.ts";
import { secondsUntil, until } from "../until.ts";

const WARM_LINKS = 200;
const VISITS_PER_SECOND = 200;
const CREATES_PER_SECOND = 20;

export const queueRedisFull: FaultCase = {
  id: "R15",
  title: "Queue Redis full, or evicting by mistake",
  mustHold:
    "creates 201, ≤ 100 ms slower; redirects unaffected; all jobs done ≤ 60 s after memory returns; alert fired; wrong policy: the worker refuses readiness with a sentence",
  done: "200 links are visited 200 times a second all the while. 20 creates a second for 10 s. Right after a sweep for lost jobs, 20 a second for 15 s, of 12 new pages, while the queue's Redis may use less memory than it does; then it has memory again. Then its maxmemory-policy is allkeys-lru while one worker runs and another one starts.",
  withinMs: 6 * 60_000,
  run: async (trial) => [...(await fillUp(trial)), ...(await evictByMistake(trial))],
};

async function fillUp(trial: Trial): Promise<CheckResult[]> {
  const { testbed, signal, say } = trial;
  const { databaseUrl, places } = testbed;

  const warm = makeCreates(WARM_LINKS, productPages(5));
  const visits = makeVisits(warm, await makeLinks(trial, warm, CREATES_PER_SECOND));
  const load = startLoad(
    {
      origin: testbed.url,
      perSecond: VISITS_PER_SECOND,
      requests: visits.map(visitRequest),
      repeats: true,
    },
    signal,
  );
  say("making links as on any day");
  const before = await makeLinks(
    trial,
    makeCreates(10 * CREATES_PER_SECOND, productPages(20, 100)),
    CREATES_PER_SECOND,
  );

  say("waiting for a sweep to be over, so that the next one is far away");
  const sweeps = () =>
    readMetric(places.first.ports.WORKER_ADMIN_PORT, "tapthru_jobs_total", {
      queue: "sweep-products",
    });
  const swept = await sweeps();
  await until("a sweep is over", async () => (await sweeps()) > swept, {
    withinMs: 90_000,
    signal,
  });
  say("making links while the queue's Redis is full");
  await fillRedis(places.queuePort);
  const pages = productPages(12, 200);
  const [meanwhile, untilAlert] = await Promise.all([
    makeLinks(trial, makeCreates(15 * CREATES_PER_SECOND, pages), CREATES_PER_SECOND),
    secondsUntil(() => isAlerting(trial), { withinMs: 20_000, signal }),
  ]);
  await giveRedisMemory(places.queuePort);

  say("waiting for the jobs");
  const seconds = await secondsUntil(() => areRead(databaseUrl, pages), {
    withinMs: 120_000,
    signal,
  });
  load.stop();
  const visited = await load.done;
  return [
    none("creates not answered 201 while Redis was full", unexpectedResponses([201], meanwhile)),
    atMost("95th percentile of creates slower by", slower(before, meanwhile, 0.95), 100, "ms"),
    observed(
      "99th percentile of creates slower by (ms)",
      Math.round(slower(before, meanwhile, 0.99)),
    ),
    atMost("until the worker's metrics told of a full Redis", untilAlert, 20, "s"),
    observed("visits", visited.length),
    none("visits failed", visitFailures(visits, visited)),
    atMost("from the memory's return until every page had been read", seconds, 60, "s"),
    none("pages never read", await findUnread(databaseUrl, pages)),
    observed(
      "pages that had to be asked for more than once",
      pages.filter((page) => timesAsked(testbed.standIn, page) > 1).length,
    ),
  ];
}

/** As an alert for a queue that is nearly full asks. */
async function isAlerting({ testbed }: Trial): Promise<boolean> {
  const port = testbed.places.first.ports.WORKER_ADMIN_PORT;
  const bytes = (kind: string) => readMetric(port, `tapthru_queue_memory_${kind}_bytes`);
  const max = await bytes("max");
  return max > 0 && (await bytes("used")) > 0.9 * max;
}

function slower(before: readonly Exchange[], now: readonly Exchange[], share: number): number {
  return percentileMs(now, share) - percentileMs(before, share);
}

async function evictByMistake({ testbed, signal, say }: Trial): Promise<CheckResult[]> {
  const { places } = testbed;
  const running = places.first.ports.WORKER_ADMIN_PORT;
  const starting = places.second.ports.WORKER_ADMIN_PORT;
  say("letting the queue's Redis evict by mistake");
  await setEvictionPolicy(places.queuePort, "allkeys-lru");

  const isRefused = async (adminPort: number) => namesPolicy(await readinessReason(adminPort));
  const patience = { withinMs: 30_000, signal };
  const watch = async () => {
    const untilRefused = await secondsUntil(() => isRefused(running), patience);
    await until("the second worker says why it is not ready", () => isRefused(starting), patience);
    const reason = await readinessReason(starting);
    await setEvictionPolicy(places.queuePort, "noeviction");
    return { untilRefused, reason };
  };
  // The second worker is ready only when the policy is right again.
  const [{ untilRefused, reason }] = await Promise.all([watch(), testbed.start("worker-2")]);
  const untilReady = await secondsUntil(
    async () => (await readinessReason(running)) === null,
    patience,
  );
  return [
    atMost("until a running worker refused to be ready", untilRefused, 20, "s"),
    observed("what a starting worker says", String(reason)),
    atMost("until it was ready again", untilReady, 20, "s"),
  ];
}

function namesPolicy(reason: string | null): boolean {
  return reason?.includes("maxmemory-policy is allkeys-lru") ?? false;
}
