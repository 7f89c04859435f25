import { setTimeout as delay } from "node:timers/promises";
import { atMost, type CheckResult, equals, none, observed } from "../check-result.ts";
import { countUnprojected } from "../evidence/link-rows.ts";
import { readRecordStates } from "../evidence/redis-records.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { type FaultProxy, startFaultProxy } from "../injectors/fault-proxy.ts";
import { routeThrough } from "../injectors/route-through.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { type Opening, openLink } from "../load/open-link.ts";
import { retireLinks } from "../load/retire-links.ts";
import type { Visit } from "../load/visits.ts";
import { redirectDoors } from "../testbed/places.ts";
import { secondsUntil, until } from "../until.ts";

/** As many as a replica asks Postgres for at once. */
const READS_AT_ONCE = 8;
/** Fewer than make a replica give its connection to Redis up. */
const PUTS_AT_ONCE = 3;
const UNCOMMITTED_AT_ONCE = 48;
const LATE_READS = 336;
const LATE_PUTS = 336;
const UNCOMMITTED = 336;
const FRESH_MS = 1_000;

export const lateFill: FaultCase = {
  id: "R11",
  title: "Late fill",
  mustHold:
    "0 stale entries afterwards in L1 or Redis (revision compare in Lua, invalidate after commit), 1,000 interleavings",
  done: "1,008 links that only Postgres knows are opened and deleted at the same time, at two replicas by turns. Of a third, Postgres's answers to the replica are held on the way until the link has been deleted; of a third, what the replica puts into Redis is held until the worker has put the tombstone there; a third is opened at both replicas between the deleting statement and its COMMIT.",
  withinMs: 6 * 60_000,
  async run(trial) {
    const { testbed } = trial;
    const { cachePort, first } = testbed.places;
    const postgresWire = await startFaultProxy(first.ports.POSTGRES_PORT);
    const redisWire = await startFaultProxy(cachePort);
    try {
      for (const name of ["redirect-1", "redirect-2"] as const) {
        await testbed.replace(name, (plan) =>
          routeThrough(
            "DATABASE_URL",
            postgresWire,
          )(routeThrough("REDIS_CACHE_URL", redisWire)(plan)),
        );
      }
      return await interleave(trial, postgresWire, redisWire);
    } finally {
      await Promise.all([postgresWire.stop(), redisWire.stop()]);
    }
  },
};

/** Fills and deletes some links at once; gives what their visitors were told meanwhile. */
type Interleaving = (links: readonly Visit[], origin: string) => Promise<Opening[]>;

async function interleave(
  trial: Trial,
  postgresWire: FaultProxy,
  redisWire: FaultProxy,
): Promise<CheckResult[]> {
  const plans: [string, number, number, Interleaving][] = [
    [
      "late reads",
      LATE_READS,
      READS_AT_ONCE,
      (...links) => readLate(trial, postgresWire, ...links),
    ],
    ["late puts", LATE_PUTS, PUTS_AT_ONCE, (...links) => putLate(trial, redisWire, ...links)],
    ["uncommitted", UNCOMMITTED, UNCOMMITTED_AT_ONCE, (links) => openUncommitted(trial, links)],
  ];
  const findings: CheckResult[] = [];
  for (const [how, count, atOnce, interleaving] of plans) {
    trial.say(how);
    const { links, filled } = await again(trial, count, atOnce, interleaving);
    findings.push(
      observed(`${how}: links, and fills by replicas`, `${links.length}, ${filled}`),
      ...(await judge(trial, how, links)),
    );
  }
  return findings;
}

async function again(
  { testbed, signal }: Trial,
  count: number,
  atOnce: number,
  interleaving: Interleaving,
): Promise<{ links: Visit[]; filled: number }> {
  const links = await insertLinks(testbed.databaseUrl, newCodes(count));
  const doors = redirectDoors(testbed.places);
  let filled = 0;
  for (let begin = 0; begin < count; begin += atOnce) {
    signal.throwIfAborted();
    const { origin } = doors[(begin / atOnce) % 2] as (typeof doors)[number];
    const openings = await interleaving(links.slice(begin, begin + atOnce), origin);
    filled += openings.filter(({ answer }) => answer?.status === 302).length;
  }
  return { links, filled };
}

/** Postgres has answered, but the replica hears of it only when the link is gone. */
async function readLate(
  { testbed, signal }: Trial,
  wire: FaultProxy,
  links: readonly Visit[],
  origin: string,
): Promise<Opening[]> {
  wire.holdResponses();
  const opening = Promise.all(links.map((link) => openLink(origin, link)));
  await until("Postgres has answered", () => wire.held >= links.length, {
    withinMs: 150,
    everyMs: 2,
    signal,
  }).catch(() => {});
  await retireLinks(testbed.databaseUrl, codesOf(links));
  wire.release();
  return opening;
}

/** The replica has put its records, but Redis gets them only after the tombstones. */
async function putLate(
  { testbed, signal }: Trial,
  wire: FaultProxy,
  links: readonly Visit[],
  origin: string,
): Promise<Opening[]> {
  wire.holdRequests((chunk) => chunk.includes("SET"));
  const openings = await Promise.all(links.map((link) => openLink(origin, link)));
  await retireLinks(testbed.databaseUrl, codesOf(links));
  const codes = codesOf(links);
  const areGone = async () =>
    (await readRecordStates(testbed.places.cachePort, codes)).every((state) => state === "gone");
  await until("the tombstones are in Redis", areGone, { withinMs: 10_000, everyMs: 5, signal });
  wire.release();
  return openings;
}

async function openUncommitted({ testbed }: Trial, links: readonly Visit[]): Promise<Opening[]> {
  const openings: Opening[] = [];
  await retireLinks(testbed.databaseUrl, codesOf(links), async () => {
    for (const { origin } of redirectDoors(testbed.places)) {
      openings.push(...(await Promise.all(links.map((link) => openLink(origin, link)))));
    }
  });
  return openings;
}

async function judge(
  { testbed, signal }: Trial,
  how: string,
  links: Visit[],
): Promise<CheckResult[]> {
  const { databaseUrl, places } = testbed;
  await delay(FRESH_MS, undefined, { signal });
  const isProjected = async () => (await countUnprojected(databaseUrl)) === 0;
  const projected = await secondsUntil(isProjected, { withinMs: 60_000, signal });
  // Visitors come last: what they find to be old in Redis is mended at once.
  const states = await readRecordStates(places.cachePort, codesOf(links));
  const stale: string[] = [];
  for (const { origin } of redirectDoors(places)) {
    for (const link of links) {
      const { answer } = await openLink(origin, link);
      if (answer?.status !== 404) stale.push(`${link.shortCode} ${answer?.status}`);
    }
  }
  return [
    atMost(`${how}: until the worker had told Redis of all`, projected + FRESH_MS / 1_000, 10, "s"),
    equals(
      `${how}: deleted links that Redis holds as live`,
      states.filter((state) => state === "live").length,
      0,
    ),
    none(`${how}: deleted links that a replica does not answer with 404`, stale),
  ];
}

function codesOf(links: readonly Visit[]): string[] {
  return links.map(({ shortCode }) => shortCode);
}
