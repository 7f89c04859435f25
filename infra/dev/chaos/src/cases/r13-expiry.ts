import { purgeExpiredLinks } from "@tapthru/proto/jobs/purge-expired-links";
import { type CheckResult, equals, withPrefix } from "../check-result.ts";
import { isOutboxProjected } from "../evidence/link-rows.ts";
import { readMetric } from "../evidence/metrics.ts";
import { countLinks } from "../evidence/postgres-activity.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { shiftClock } from "../injectors/shift-clock.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { openLink } from "../load/visits/open-link.ts";
import type { Visit } from "../load/visits/visits.ts";
import { type Observation, observe, unixMs } from "../load/watch.ts";
import { adminPort, redirectEndpoints } from "../testbed/testbed-config.ts";
import { checkExpiry } from "./r13-checks.ts";

const LINKS = 200;
/** Interval between visits around the expiry. */
const EVERY_MS = 5;
const LEAD_MS = 10_000;
const SHIFT_MS = 120_000;

export const expiry: FaultCase = {
  id: "R13",
  title: "Expiry",
  expected:
    "at ≥ T always 410, T-1 ms always 302; a skewed replica corrects by Postgres time (or is not ready within 10 s, with a metric); purge uses Postgres now() only, never early",
  procedure:
    "The worker is stopped. 200 links in the memory of both replicas, 200 only in Redis and 200 only in Postgres expire at the same time T. Around T, each link is visited once at each replica, one of each kind every 5 ms. A request sent at T or later must return 410, a response received before T must be 302. The same is repeated with the clock of one replica 120 s behind and of the other 120 s ahead (Date is shifted in the processes). Then a worker whose clock is 120 s ahead purges while links expire in 60 s. The tests of redirect check the exact millisecond.",
  timeoutMs: 5 * 60_000,
  async run(trial) {
    const { testbed, log } = trial;
    log("waiting until links expire");
    const correct = await expireLinks(trial, "correct clocks");
    await testbed.replace("redirect-1", shiftClock(-SHIFT_MS));
    await testbed.replace("redirect-2", shiftClock(SHIFT_MS));
    log("waiting until links expire with wrong clocks");
    const skewed = await expireLinks(trial, "wrong clocks");
    log("purging with a fast clock");
    return [...correct, ...skewed, ...(await purgeWithFastClock(trial))];
  },
};

async function expireLinks(trial: Trial, phase: string): Promise<CheckResult[]> {
  const { testbed, until } = trial;
  const { databaseUrl, processes } = testbed;
  const expiresAt = Math.ceil(unixMs()) + LEAD_MS;
  const hot = await insertLinks(databaseUrl, newCodes(LINKS), { expiresAt, addToOutbox: true });
  const inRedis = await insertLinks(databaseUrl, newCodes(LINKS), { expiresAt, addToOutbox: true });
  await until("the links are in Redis", () => isOutboxProjected(databaseUrl), LEAD_MS / 2);
  await processes.end("worker-1", "SIGTERM");
  for (const { origin } of redirectEndpoints(testbed.config)) {
    for (const link of hot) await openLink(origin, link);
  }
  const inPostgres = await insertLinks(databaseUrl, newCodes(LINKS), { expiresAt });

  const beginAt = expiresAt - (LINKS * EVERY_MS) / 2;
  const observed = await Promise.all(
    [hot, inRedis, inPostgres].map((links) => openInTurn(trial, links, beginAt)),
  );
  await testbed.start("worker-1");
  return ["in memory", "in Redis", "in Postgres"].flatMap((where, index) =>
    withPrefix(`${phase}, ${where}`, checkExpiry(observed[index] as Observation[], expiresAt)),
  );
}

async function openInTurn(
  { testbed, pause }: Trial,
  links: readonly Visit[],
  beginAt: number,
): Promise<Observation[]> {
  const pendingObservations: Promise<Observation>[] = [];
  for (const [index, link] of links.entries()) {
    const earlyMs = beginAt + index * EVERY_MS - unixMs();
    if (earlyMs > 0) await pause(earlyMs);
    for (const { origin } of redirectEndpoints(testbed.config))
      pendingObservations.push(observe(origin, link));
  }
  return Promise.all(pendingObservations);
}

async function purgeWithFastClock({ testbed, until }: Trial): Promise<CheckResult[]> {
  const { databaseUrl, config } = testbed;
  const port = adminPort(config, "worker-1");
  const isPurged = async () => (await countLinks(databaseUrl)) === 0;
  await until("the earlier links are purged", isPurged, 30_000);
  await insertLinks(databaseUrl, newCodes(LINKS), { expiresAt: unixMs() + SHIFT_MS / 2 });
  await testbed.replace("worker-1", shiftClock(SHIFT_MS));
  const purges = () =>
    readMetric(port, "tapthru_jobs_total", { queue: purgeExpiredLinks.name, outcome: "done" });
  await until("the worker has purged", async () => (await purges()) > 0, 40_000);
  return [equals("links purged before their expiry", LINKS - (await countLinks(databaseUrl)), 0)];
}
