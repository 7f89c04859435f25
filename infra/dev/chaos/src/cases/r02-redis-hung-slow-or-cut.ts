import { setTimeout as delay } from "node:timers/promises";
import { atMost, type CheckResult, none, of } from "../check-result.ts";
import { secondsUntilRedisServes } from "../evidence/redirect-sources.ts";
import { checkVitals, readVitals } from "../evidence/vitals.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { type FaultProxy, startFaultProxy } from "../injectors/fault-proxy.ts";
import { freeze, thaw } from "../injectors/freeze.ts";
import { pauseRedis } from "../injectors/redis-commands.ts";
import { routeThrough } from "../injectors/route-through.ts";
import { checkVisits } from "../load/check-visits.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { openLink } from "../load/open-link.ts";
import { visitFor, visitWhile } from "../load/visiting.ts";
import { visitError } from "../load/visits.ts";
import { makeWarmLinks } from "../load/warm-links.ts";
import { redirectDoors } from "../testbed/places.ts";

const FAULT_MS = 20_000;
const MISSES = 40;
const BUDGET_MS = 50;
/** Timers may be early by a millisecond, and the rest of a request takes some. */
const WAITED_MS = BUDGET_MS - 2;
const MISSES_BEFORE_BREAKER = 5;

export const redisHungSlowOrCut: FaultCase = {
  id: "R2",
  title: "Redis hung, slow, or cut off",
  mustHold:
    "warm: 0 failed, unchanged p99; L1 miss pays at most one 50 ms Redis budget per request and, after 5 misses, none (breaker); reconnect ≤ 5 s after the cut ends",
  done: "1,000 links in memory are visited 300 times a second through nginx, for 15 s as a baseline. Then, for 20 s each, the cache's Redis is stopped by SIGSTOP, paused by CLIENT PAUSE, answers 200±100 ms late, and is cut off without a word (what replicas send is swallowed on the way; new connections stand, but stay silent). At each fault's beginning 40 links that only Postgres knows are opened one after the other at one replica.",
  withinMs: 5 * 60_000,
  async run(trial) {
    const { testbed } = trial;
    const wire = await startFaultProxy(testbed.places.cachePort);
    try {
      for (const name of ["redirect-1", "redirect-2"] as const) {
        await testbed.replace(name, routeThrough("REDIS_CACHE_URL", wire));
      }
      return await tryFaults(trial, faults(trial, wire));
    } finally {
      await wire.stop();
    }
  },
};

interface Fault {
  how: string;
  begin(): Promise<void> | void;
  end(): void;
}

function faults({ testbed, random }: Trial, wire: FaultProxy): Fault[] {
  const { cachePort } = testbed.places;
  return [
    {
      how: "stopped",
      begin: () => freeze(testbed, "cache Redis"),
      end: () => thaw(testbed, "cache Redis"),
    },
    // It goes on by itself.
    { how: "paused", begin: () => pauseRedis(cachePort, FAULT_MS), end: () => {} },
    {
      how: "slow",
      begin: () => wire.delayResponses(() => 100 + 200 * random()),
      end: wire.release,
    },
    { how: "cut off", begin: () => wire.holdRequests(), end: wire.release },
  ];
}

async function tryFaults(trial: Trial, all: readonly Fault[]): Promise<CheckResult[]> {
  const { testbed, say } = trial;
  const visiting = { visits: await makeWarmLinks(trial, 1_000), perSecond: 300 };
  const begun = await readVitals(testbed);
  const before = await visitFor(trial, visiting, 15);
  const broken = await readVitals(testbed);
  const findings: CheckResult[] = [];
  for (const fault of all) {
    say(`visiting them while Redis is ${fault.how}`);
    const [meanwhile, found] = await visitWhile(trial, visiting, () => tryFault(trial, fault));
    const judged = checkVisits({ ...visiting, before, meanwhile, maxRatio: 1.5 });
    findings.push(...of(fault.how, [...judged, ...found]));
  }
  const over = await readVitals(testbed);
  return [...findings, ...checkVitals({ begun, broken, over, transitions: 2 * all.length })];
}

async function tryFault(trial: Trial, { begin, end }: Fault): Promise<CheckResult[]> {
  const { testbed, signal } = trial;
  const [{ origin }] = redirectDoors(testbed.places);
  const cold = await insertLinks(testbed.databaseUrl, newCodes(MISSES));
  const whole = delay(FAULT_MS, undefined, { signal });
  const openings = [];
  await begin();
  try {
    for (const visit of cold) openings.push({ visit, ...(await openLink(origin, visit)) });
    await whole;
  } finally {
    end();
  }
  const seconds = await secondsUntilRedisServes(trial);
  const times = openings.map(({ tookMs }) => tookMs);
  return [
    none(
      "links not in memory that failed",
      openings.flatMap(({ visit, answer }) => visitError(visit, answer) ?? []),
    ),
    atMost(
      "openings of them that waited for Redis",
      times.filter((ms) => ms >= WAITED_MS).length,
      MISSES_BEFORE_BREAKER,
    ),
    atMost("slowest opening of them", Math.max(...times), 2 * BUDGET_MS, "ms"),
    atMost("from the fault's end until Redis served again", seconds, 5, "s"),
  ];
}
