import { atLeast, atMost, type CheckResult, equals, none } from "../check-result.ts";
import { isOutboxProjected } from "../evidence/link-rows.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { type FaultProxy, startFaultProxy } from "../injectors/fault-proxy.ts";
import { readRecordStates } from "../injectors/redis.ts";
import { routeThrough } from "../injectors/route-through.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { retireLinks } from "../load/retire-links.ts";
import { type OpenResult, openLink } from "../load/visits/open-link.ts";
import { codesOf, type Visit } from "../load/visits/visits.ts";
import { redirectEndpoints } from "../testbed/testbed-config.ts";

/** Concurrent lookups of one replica in Postgres. */
const CONCURRENT_READS = 8;
/** Below the number of failures that open the circuit breaker to Redis. */
const CONCURRENT_WRITES = 3;
const CONCURRENT_UNCOMMITTED = 48;
const LATE_READS = 336;
const LATE_WRITES = 336;
const UNCOMMITTED = 336;
const FRESH_MS = 1_000;
const MIN_FILLED_SHARE = 0.9;

export const lateFill: FaultCase = {
  id: "R11",
  title: "Late fill",
  expected:
    "0 stale entries afterwards in L1 or Redis (revision compare in Lua, invalidate after commit), 1,000 interleavings",
  procedure:
    "1,008 links that are only in Postgres are visited and deleted at the same time, alternating between two replicas. For one third, a proxy holds the responses of Postgres to the replica until the link is deleted. For one third, a proxy holds what the replica writes to Redis until the worker has written the tombstone. One third is visited at both replicas between the DELETE statement and its COMMIT.",
  timeoutMs: 6 * 60_000,
  async run(trial) {
    const { testbed } = trial;
    const { cachePort, first } = testbed.config;
    const postgresProxy = await startFaultProxy(first.ports.POSTGRES_PORT);
    const redisProxy = await startFaultProxy(cachePort);
    try {
      for (const name of ["redirect-1", "redirect-2"] as const) {
        await testbed.replace(name, (plan) =>
          routeThrough(
            "DATABASE_URL",
            postgresProxy,
          )(routeThrough("REDIS_CACHE_URL", redisProxy)(plan)),
        );
      }
      return await runAllInterleavings(trial, postgresProxy, redisProxy);
    } finally {
      await Promise.all([postgresProxy.stop(), redisProxy.stop()]);
    }
  },
};

/** Fills and deletes links at the same time, and returns what visitors received. */
type Interleaving = (links: readonly Visit[], origin: string) => Promise<OpenResult[]>;

async function runAllInterleavings(
  trial: Trial,
  postgresProxy: FaultProxy,
  redisProxy: FaultProxy,
): Promise<CheckResult[]> {
  const plans: [string, number, number, Interleaving][] = [
    [
      "late reads",
      LATE_READS,
      CONCURRENT_READS,
      (...links) => delayReads(trial, postgresProxy, ...links),
    ],
    [
      "late writes",
      LATE_WRITES,
      CONCURRENT_WRITES,
      (...links) => delayWrites(trial, redisProxy, ...links),
    ],
    ["uncommitted", UNCOMMITTED, CONCURRENT_UNCOMMITTED, (links) => openUncommitted(trial, links)],
  ];
  const results: CheckResult[] = [];
  for (const [phase, count, concurrent, interleaving] of plans) {
    trial.log(phase);
    const { links, opened, fillCount } = await runInterleavings(
      trial,
      count,
      concurrent,
      interleaving,
    );
    results.push(
      // A visit that is refused, or comes after the deletion, is not a late fill.
      atLeast(`${phase}: cache fills`, fillCount, Math.ceil(MIN_FILLED_SHARE * opened)),
      ...(await checkLinks(trial, phase, links)),
    );
  }
  return results;
}

async function runInterleavings(
  { testbed, signal }: Trial,
  count: number,
  concurrent: number,
  interleaving: Interleaving,
): Promise<{ links: Visit[]; opened: number; fillCount: number }> {
  const links = await insertLinks(testbed.databaseUrl, newCodes(count));
  const endpoints = redirectEndpoints(testbed.config);
  let opened = 0;
  let fillCount = 0;
  for (let begin = 0; begin < count; begin += concurrent) {
    signal.throwIfAborted();
    const { origin } = endpoints[(begin / concurrent) % 2] as (typeof endpoints)[number];
    const openings = await interleaving(links.slice(begin, begin + concurrent), origin);
    opened += openings.length;
    fillCount += openings.filter(({ response }) => response?.status === 302).length;
  }
  return { links, opened, fillCount };
}

/** Postgres has responded, but the replica receives the response after the link is deleted. */
async function delayReads(
  { testbed, secondsUntil }: Trial,
  proxy: FaultProxy,
  links: readonly Visit[],
  origin: string,
): Promise<OpenResult[]> {
  proxy.holdResponses();
  const openings = Promise.all(links.map((link) => openLink(origin, link)));
  // Lookups that share a connection may share a chunk; the fills are counted afterwards.
  await secondsUntil(() => proxy.held >= links.length, 150, 2);
  await retireLinks(testbed.databaseUrl, codesOf(links));
  proxy.release();
  return openings;
}

/** The replica has written its records, but Redis receives them after the tombstones. */
async function delayWrites(
  { testbed, until }: Trial,
  proxy: FaultProxy,
  links: readonly Visit[],
  origin: string,
): Promise<OpenResult[]> {
  proxy.holdRequests((chunk) => chunk.includes("SET"));
  const openings = await Promise.all(links.map((link) => openLink(origin, link)));
  const isHeld = () => proxy.held > 0;
  await until("a write to Redis is held", isHeld, 10_000, 2);
  await retireLinks(testbed.databaseUrl, codesOf(links));
  const codes = codesOf(links);
  const areGone = async () =>
    (await readRecordStates(testbed.config.cachePort, codes)).every((state) => state === "gone");
  await until("the tombstones are in Redis", areGone, 10_000, 5);
  proxy.release();
  return openings;
}

async function openUncommitted({ testbed }: Trial, links: readonly Visit[]): Promise<OpenResult[]> {
  const openings: OpenResult[] = [];
  await retireLinks(testbed.databaseUrl, codesOf(links), async () => {
    for (const { origin } of redirectEndpoints(testbed.config)) {
      openings.push(...(await Promise.all(links.map((link) => openLink(origin, link)))));
    }
  });
  return openings;
}

async function checkLinks(
  { testbed, pause, secondsUntil }: Trial,
  phase: string,
  links: Visit[],
): Promise<CheckResult[]> {
  const { databaseUrl, config } = testbed;
  await pause(FRESH_MS);
  const projected = await secondsUntil(() => isOutboxProjected(databaseUrl), 60_000);
  // Visits come last, because a visit repairs a stale record in Redis.
  const states = await readRecordStates(config.cachePort, codesOf(links));
  const stale: string[] = [];
  for (const { origin } of redirectEndpoints(config)) {
    for (const link of links) {
      const { response } = await openLink(origin, link);
      if (response?.status !== 404) stale.push(`${link.shortCode} ${response?.status}`);
    }
  }
  return [
    atMost(
      `${phase}: time until all deletions were in Redis`,
      projected + FRESH_MS / 1_000,
      10,
      "s",
    ),
    equals(
      `${phase}: deleted links that are live in Redis`,
      states.filter((state) => state === "live").length,
      0,
    ),
    none(`${phase}: responses other than 404 for deleted links`, stale),
  ];
}
