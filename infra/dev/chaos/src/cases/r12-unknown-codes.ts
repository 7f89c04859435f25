import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import { countAllLookUps } from "../evidence/postgres-activity.ts";
import { readContents } from "../evidence/redis-records.ts";
import { readVitals, type Vitals } from "../evidence/vitals.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { checkVisits } from "../load/check-visits.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { openLink } from "../load/open-link.ts";
import { type Scan, scan } from "../load/scan.ts";
import { visitFor, visitWhile } from "../load/visiting.ts";
import { visitError } from "../load/visits.ts";
import { makeWarmLinks } from "../load/warm-links.ts";
import { redirectDoors } from "../testbed/places.ts";

const STEADY = { count: 100_000, perSecond: 1_500, withinMs: 120_000 };
const FLOOD = { count: 900_000, perSecond: null, withinMs: 180_000 };
const LOOK_UPS_PER_SECOND = 500;
const MAX_GROWTH_MB = 20;
const CREATED = 200;

export const unknownCodes: FaultCase = {
  id: "R12",
  title: "Unknown codes",
  mustHold:
    "warm p99 ≤ 1.5x; Redis keys and RSS bounded (≤ +20 MB); DB misses capped; a code created after its 404 resolves at the first try on both replicas",
  done: "1,000 links in memory are visited 300 times a second through nginx, for 15 s as a baseline, then while one replica is asked straight for 100,000 random codes, 1,500 a second; then for up to 900,000 more over 64 connections, as quickly as it answers, for at most three minutes (that takes all of its core, so nobody's speed is judged then). The limit for an address is off: the one for look-ups in Postgres remains. Then 200 codes are refused by both replicas, made in Postgres, and asked for once more at each.",
  withinMs: 12 * 60_000,
  async run(trial) {
    const { testbed, signal, say } = trial;
    const { databaseUrl, places } = testbed;
    const [{ origin }] = redirectDoors(places);
    const visiting = { visits: await makeWarmLinks(trial, 1_000), perSecond: 300 };
    const before = await visitFor(trial, visiting, 15);
    const look = async () => ({
      contents: await readContents(places.cachePort),
      vitals: await readVitals(testbed),
      lookUps: await countAllLookUps(databaseUrl, signal),
    });
    const first = await look();

    say("asking for random codes");
    const [meanwhile, steady] = await visitWhile(trial, visiting, () =>
      scan({ origin, ...STEADY }, signal),
    );
    say("asking for random codes as quickly as they are answered");
    const flood = await scan({ origin, ...FLOOD }, signal);
    const last = await look();
    const seconds = steady.seconds + flood.seconds;
    return [
      observed("random codes, 1,500 a second", describe(steady)),
      observed("random codes, as quickly as can be", describe(flood)),
      none("answers other than 404 and 503", [...strange(steady), ...strange(flood)]),
      ...checkVisits({ visits: visiting.visits, before, meanwhile, maxRatio: 1.5 }),
      atMost(
        "look-ups in Postgres a second",
        (last.lookUps - first.lookUps) / seconds,
        LOOK_UPS_PER_SECOND,
      ),
      atMost("keys in Redis more than before", last.contents.keys - first.contents.keys, 0),
      atMost(
        "memory of Redis more than before",
        (last.contents.bytes - first.contents.bytes) / 1e6,
        MAX_GROWTH_MB,
        "MB",
      ),
      ...judgeMemory(first.vitals, last.vitals),
      ...(await createRefused(trial)),
    ];
  },
};

function judgeMemory(before: readonly Vitals[], after: readonly Vitals[]): CheckResult[] {
  return after.map(({ name, residentBytes }, index) => {
    const grown = residentBytes - (before[index]?.residentBytes ?? Number.NaN);
    return atMost(`${name}: memory more than before`, grown / 1e6, MAX_GROWTH_MB, "MB");
  });
}

async function createRefused({ testbed }: Trial): Promise<CheckResult[]> {
  const doors = redirectDoors(testbed.places);
  const codes = newCodes(CREATED);
  const refused: (number | undefined)[] = [];
  const wrong: string[] = [];
  for (const shortCode of codes) {
    for (const { origin } of doors) {
      const { answer } = await openLink(origin, { shortCode, location: "" });
      refused.push(answer?.status);
    }
    const made = await insertLinks(testbed.databaseUrl, [shortCode], { isTold: true });
    for (const { origin } of doors) {
      for (const visit of made) {
        const { answer } = await openLink(origin, visit);
        const error = visitError(visit, answer);
        if (error !== null) wrong.push(error);
      }
    }
  }
  return [
    none(
      "codes not refused with 404 before they were made",
      refused.filter((status) => status !== 404).map(String),
    ),
    none("not opened at the first try after they were made", wrong),
  ];
}

function describe({ statuses, seconds }: Scan): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return `${counts.join(", ")}; ${seconds.toFixed(1)} s`;
}

function strange({ statuses }: Scan): string[] {
  return Object.keys(statuses).filter((status) => status !== "404" && status !== "503");
}
