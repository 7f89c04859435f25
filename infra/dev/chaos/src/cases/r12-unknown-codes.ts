import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import { countSettledLookups } from "../evidence/postgres-activity.ts";
import { type ReplicaFigures, readReplicaFigures } from "../evidence/replica-figures.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { readRedisUsage } from "../injectors/redis.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { checkVisits } from "../load/visits/check-visits.ts";
import { openLink } from "../load/visits/open-link.ts";
import { type ScanResult, scan } from "../load/visits/scan.ts";
import { visitFor, visitWhile } from "../load/visits/visit-load.ts";
import { visitError } from "../load/visits/visits.ts";
import { insertWarmLinks } from "../load/visits/warm-links.ts";
import { redirectEndpoints } from "../testbed/testbed-config.ts";

const STEADY = { count: 100_000, perSecond: 1_500, timeoutMs: 120_000 };
const FLOOD = { count: 900_000, perSecond: null, timeoutMs: 180_000 };
const MAX_LOOKUPS_PER_SECOND = 500;
const MAX_GROWTH_MB = 20;
const CREATED = 200;

export const unknownCodes: FaultCase = {
  id: "R12",
  title: "Unknown codes",
  expected:
    "warm p99 ≤ 1.5x; Redis keys and RSS bounded (≤ +20 MB); DB misses capped; a code created after its 404 resolves at the first request on both replicas",
  procedure:
    "1,000 links in memory are visited 300 times per second through nginx, first for a baseline of 15 s, then while 100,000 random codes are requested directly from one replica, 1,500 per second. Then up to 900,000 more are requested over 64 connections at full speed for at most three minutes; this uses the whole core, so latency is not checked. The limit per address is off; the limit of lookups in Postgres is on. Then 200 codes are refused by both replicas, created in Postgres and requested again at each replica.",
  timeoutMs: 12 * 60_000,
  async run(trial) {
    const { testbed, signal, log } = trial;
    const { config } = testbed;
    const [{ origin }] = redirectEndpoints(config);
    const visitLoad = { visits: await insertWarmLinks(trial, 1_000), perSecond: 300 };
    const before = await visitFor(trial, visitLoad, 15);
    const takeSnapshot = async () => ({
      contents: await readRedisUsage(config.cachePort),
      vitals: await readReplicaFigures(testbed),
      lookups: await countSettledLookups(trial),
    });
    const first = await takeSnapshot();

    log("requesting random codes");
    const [during, steady] = await visitWhile(trial, visitLoad, () =>
      scan({ origin, ...STEADY }, signal),
    );
    log("requesting random codes at full speed");
    const flood = await scan({ origin, ...FLOOD }, signal);
    const last = await takeSnapshot();
    const seconds = steady.seconds + flood.seconds;
    return [
      observed("random codes, 1,500 per second", describe(steady)),
      observed("random codes, at full speed", describe(flood)),
      none("responses other than 404 and 503", [
        ...unexpectedStatuses(steady),
        ...unexpectedStatuses(flood),
      ]),
      ...checkVisits({ visits: visitLoad.visits, before, during, maxRatio: 1.5 }),
      atMost(
        "lookups in Postgres per second",
        (last.lookups - first.lookups) / seconds,
        MAX_LOOKUPS_PER_SECOND,
      ),
      atMost("additional keys in Redis", last.contents.keys - first.contents.keys, 0),
      atMost(
        "additional memory in Redis",
        (last.contents.bytes - first.contents.bytes) / 1e6,
        MAX_GROWTH_MB,
        "MB",
      ),
      ...checkMemoryGrowth(first.vitals, last.vitals),
      ...(await createAfterRefusal(trial)),
    ];
  },
};

function checkMemoryGrowth(
  before: readonly ReplicaFigures[],
  after: readonly ReplicaFigures[],
): CheckResult[] {
  return after.map(({ name, residentBytes }, index) => {
    const growthBytes = residentBytes - (before[index]?.residentBytes ?? Number.NaN);
    return atMost(`${name}: additional memory`, growthBytes / 1e6, MAX_GROWTH_MB, "MB");
  });
}

async function createAfterRefusal({ testbed }: Trial): Promise<CheckResult[]> {
  const endpoints = redirectEndpoints(testbed.config);
  const codes = newCodes(CREATED);
  const refused: (number | undefined)[] = [];
  const wrong: string[] = [];
  for (const shortCode of codes) {
    for (const { origin } of endpoints) {
      const { response } = await openLink(origin, { shortCode, location: "" });
      refused.push(response?.status);
    }
    const created = await insertLinks(testbed.databaseUrl, [shortCode], { addToOutbox: true });
    for (const { origin } of endpoints) {
      for (const visit of created) {
        const { response } = await openLink(origin, visit);
        const error = visitError(visit, response);
        if (error !== null) wrong.push(error);
      }
    }
  }
  return [
    none(
      "codes not refused with 404 before creation",
      refused.filter((status) => status !== 404).map(String),
    ),
    none("failed first visits after creation", wrong),
  ];
}

function describe({ statuses, seconds }: ScanResult): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return `${counts.join(", ")}; ${seconds.toFixed(1)} s`;
}

function unexpectedStatuses({ statuses }: ScanResult): string[] {
  return Object.keys(statuses).filter((status) => status !== "404" && status !== "503");
}
