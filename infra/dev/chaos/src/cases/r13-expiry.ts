import { setTimeout as delay } from "node:timers/promises";
import { purgeExpiredLinks } from "@tapthru/proto/jobs/purge-expired-links";
import { type CheckResult, equals, of } from "../check-result.ts";
import { countUnprojected } from "../evidence/link-rows.ts";
import { readMetric } from "../evidence/metrics.ts";
import { countLinks } from "../evidence/postgres-activity.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { shiftClock } from "../injectors/shift-clock.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { openLink } from "../load/open-link.ts";
import type { Visit } from "../load/visits.ts";
import { type Observation, unixMs } from "../load/watch.ts";
import { redirectDoors } from "../testbed/places.ts";
import { until } from "../until.ts";
import { checkExpiry } from "./r13-checks.ts";

const LINKS = 200;
/** Around the end one link is opened every so often, each once at each replica. */
const EVERY_MS = 5;
const LEAD_MS = 10_000;
const SHIFT_MS = 120_000;

export const expiry: FaultCase = {
  id: "R13",
  title: "Expiry",
  mustHold:
    "at ≥ T always 410, T-1 ms always 302; skewed replica corrects by Postgres time (or is unready within 10 s with a metric); purge uses Postgres now() only, never early",
  done: "The worker is stopped. 200 links in the memory of both replicas, 200 only in Redis and 200 only in Postgres end at one moment T; around it each is opened once at each replica, one every 5 ms of each kind. What is asked for at T or later must be 410, what is answered before T 302. Again with one replica's clock 120 s behind and the other's 120 s ahead (Date is moved in their processes). Then a worker whose clock is 120 s ahead purges while links end in 60 s. That the very millisecond decides is tried by the service's own tests.",
  withinMs: 5 * 60_000,
  async run(trial) {
    const { testbed, say } = trial;
    say("letting links end");
    const right = await letEnd(trial, "right clocks");
    await testbed.replace("redirect-1", shiftClock(-SHIFT_MS));
    await testbed.replace("redirect-2", shiftClock(SHIFT_MS));
    say("letting links end while clocks are wrong");
    const wrong = await letEnd(trial, "wrong clocks");
    say("purging by a clock that is ahead");
    return [...right, ...wrong, ...(await purgeAhead(trial))];
  },
};

async function letEnd(trial: Trial, how: string): Promise<CheckResult[]> {
  const { testbed, signal } = trial;
  const { databaseUrl, processes } = testbed;
  const doors = redirectDoors(testbed.places);
  const expiresAt = Math.ceil(unixMs()) + LEAD_MS;
  const hot = await insertLinks(databaseUrl, newCodes(LINKS), { expiresAt, isTold: true });
  const inRedis = await insertLinks(databaseUrl, newCodes(LINKS), { expiresAt, isTold: true });
  const isProjected = async () => (await countUnprojected(databaseUrl)) === 0;
  await until("the links are in Redis", isProjected, { withinMs: LEAD_MS / 2, signal });
  await processes.end("worker-1", "SIGTERM");
  for (const { origin } of doors) await openAll(origin, hot);
  const inPostgres = await insertLinks(databaseUrl, newCodes(LINKS), { expiresAt });

  const beginAt = expiresAt - (LINKS * EVERY_MS) / 2;
  const observed = await Promise.all(
    [hot, inRedis, inPostgres].map((links) => openInTurn(links, doors, beginAt, signal)),
  );
  await testbed.start("worker-1");
  return ["in memory", "in Redis", "in Postgres"].flatMap((where, index) =>
    of(`${how}, ${where}`, checkExpiry(observed[index] as Observation[], expiresAt)),
  );
}

async function openAll(origin: string, links: readonly Visit[]): Promise<void> {
  for (const link of links) await openLink(origin, link);
}

async function openInTurn(
  links: readonly Visit[],
  doors: readonly { origin: string }[],
  beginAt: number,
  signal: AbortSignal,
): Promise<Observation[]> {
  const observing: Promise<Observation>[] = [];
  for (const [index, link] of links.entries()) {
    const earlyMs = beginAt + index * EVERY_MS - unixMs();
    if (earlyMs > 0) await delay(earlyMs, undefined, { signal });
    for (const { origin } of doors) observing.push(observe(origin, link));
  }
  return Promise.all(observing);
}

async function observe(origin: string, link: Visit): Promise<Observation> {
  const sentAt = unixMs();
  const { answer } = await openLink(origin, link);
  return { origin, sentAt, answeredAt: unixMs(), answer };
}

async function purgeAhead({ testbed, signal }: Trial): Promise<CheckResult[]> {
  const { databaseUrl, places } = testbed;
  const port = places.first.ports.WORKER_ADMIN_PORT;
  const isPurged = async () => (await countLinks(databaseUrl)) === 0;
  await until("the links of before are purged", isPurged, { withinMs: 30_000, signal });
  await insertLinks(databaseUrl, newCodes(LINKS), { expiresAt: unixMs() + SHIFT_MS / 2 });
  await testbed.replace("worker-1", shiftClock(SHIFT_MS));
  const purges = () =>
    readMetric(port, "tapthru_jobs_total", { queue: purgeExpiredLinks.name, outcome: "done" });
  await until("it has purged", async () => (await purges()) > 0, { withinMs: 40_000, signal });
  return [equals("links purged before their end", LINKS - (await countLinks(databaseUrl)), 0)];
}
