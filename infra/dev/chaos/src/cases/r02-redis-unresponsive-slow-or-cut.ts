import { atLeast, atMost, type CheckResult, none, withPrefix } from "../check-result.ts";
import { secondsUntilRedisServes } from "../evidence/redirect-sources.ts";
import { checkReplicaFigures, readReplicaFigures } from "../evidence/replica-figures.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { type FaultProxy, startFaultProxy } from "../injectors/fault-proxy.ts";
import { freeze, thaw } from "../injectors/freeze.ts";
import { pauseRedis } from "../injectors/redis.ts";
import { routeThrough } from "../injectors/route-through.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { checkVisits } from "../load/visits/check-visits.ts";
import { type OpenResult, openLink } from "../load/visits/open-link.ts";
import { visitFor, visitWhile } from "../load/visits/visit-load.ts";
import { type Visit, visitError } from "../load/visits/visits.ts";
import { insertWarmLinks } from "../load/visits/warm-links.ts";
import { redirectEndpoints } from "../testbed/testbed-config.ts";

const FAULT_MS = 20_000;
const MISSES = 40;
const BUDGET_MS = 50;
/** Timers may fire a millisecond early. */
const WAITED_MS = BUDGET_MS - 2;
const MISSES_BEFORE_BREAKER = 5;

export const redisUnresponsiveSlowOrCut: FaultCase = {
  id: "R2",
  title: "Redis unresponsive, slow or cut off",
  expected:
    "warm: 0 failed, unchanged p99; an L1 miss waits for at most one 50 ms Redis budget per request and, after 5 misses, not at all (circuit breaker); reconnect ≤ 5 s after the cut ends",
  procedure:
    "1,000 links in memory are visited 300 times per second through nginx, first for a baseline of 15 s. Then the cache Redis has four faults of 20 s each: it is stopped with SIGSTOP; it is paused with CLIENT PAUSE; its responses are 200±100 ms late; it is cut off without a reset (a proxy drops what the replicas send and accepts new connections without a response). At the start of each fault, 40 links that are only in Postgres are visited one after the other at one replica.",
  timeoutMs: 5 * 60_000,
  async run(trial) {
    const { testbed } = trial;
    const proxy = await startFaultProxy(testbed.config.cachePort);
    try {
      for (const name of ["redirect-1", "redirect-2"] as const) {
        await testbed.replace(name, routeThrough("REDIS_CACHE_URL", proxy));
      }
      return await testFaults(trial, faults(trial, proxy));
    } finally {
      await proxy.stop();
    }
  },
};

interface Fault {
  name: string;
  begin(): Promise<void> | void;
  end(): void;
}

function faults({ testbed, random }: Trial, proxy: FaultProxy): Fault[] {
  const { cachePort } = testbed.config;
  return [
    {
      name: "stopped",
      begin: () => freeze(testbed, "cache Redis"),
      end: () => thaw(testbed, "cache Redis"),
    },
    // CLIENT PAUSE ends by itself.
    { name: "paused", begin: () => pauseRedis(cachePort, FAULT_MS), end: () => {} },
    {
      name: "slow",
      begin: () => proxy.delayResponses(() => 100 + 200 * random()),
      end: proxy.release,
    },
    { name: "cut off", begin: () => proxy.holdRequests(), end: proxy.release },
  ];
}

async function testFaults(trial: Trial, all: readonly Fault[]): Promise<CheckResult[]> {
  const { testbed, log } = trial;
  const visitLoad = { visits: await insertWarmLinks(trial, 1_000), perSecond: 300 };
  const baseline = await readReplicaFigures(testbed);
  const before = await visitFor(trial, visitLoad, 15);
  const beforeFault = await readReplicaFigures(testbed);
  const results: CheckResult[] = [];
  for (const fault of all) {
    log(`visiting them while Redis is ${fault.name}`);
    const [during, found] = await visitWhile(trial, visitLoad, () => testFault(trial, fault));
    const checks = checkVisits({ ...visitLoad, before, during, maxRatio: 1.5 });
    results.push(...withPrefix(fault.name, [...checks, ...found]));
  }
  const afterFault = await readReplicaFigures(testbed);
  return [
    ...results,
    ...checkReplicaFigures({ baseline, beforeFault, afterFault, transitions: 2 * all.length }),
  ];
}

async function testFault(trial: Trial, { begin, end }: Fault): Promise<CheckResult[]> {
  const { testbed, pause } = trial;
  const [{ origin }] = redirectEndpoints(testbed.config);
  const cold = await insertLinks(testbed.databaseUrl, newCodes(MISSES));
  const openings: (OpenResult & { visit: Visit })[] = [];
  async function openAll() {
    for (const visit of cold) openings.push({ visit, ...(await openLink(origin, visit)) });
  }
  await begin();
  try {
    await Promise.all([openAll(), pause(FAULT_MS)]);
  } finally {
    end();
  }
  const seconds = await secondsUntilRedisServes(trial);
  const times = openings.map(({ tookMs }) => tookMs);
  const waited = times.filter((ms) => ms >= WAITED_MS).length;
  return [
    none(
      "failed visits of links not in memory",
      openings.flatMap(({ visit, response }) => visitError(visit, response) ?? []),
    ),
    // Otherwise the fault had no effect.
    atLeast("of these, visits that waited for Redis", waited, 1),
    atMost("visits that waited for Redis before the breaker opened", waited, MISSES_BEFORE_BREAKER),
    atMost("slowest visit of a link not in memory", Math.max(...times), 2 * BUDGET_MS, "ms"),
    atMost("time until Redis served again after the fault", seconds, 5, "s"),
  ];
}
