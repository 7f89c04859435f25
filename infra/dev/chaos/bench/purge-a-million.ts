import { watchInterruption } from "@tapthru/local/stack/interruption";
import { observed } from "../src/check-result.ts";
import { countExpiredLinks, insertExpiredLinks } from "../src/evidence/expired-links.ts";
import type { Trial } from "../src/fault-case.ts";
import { createRequest, newLinksToCreate, productPages } from "../src/load/creates.ts";
import type { Exchange } from "../src/load/exchange.ts";
import { percentileMs } from "../src/load/latency.ts";
import { runLoad, startLoad } from "../src/load/load.ts";
import { type Experiment, runExperiment } from "../src/run-case.ts";

// Measures how long the real worker takes to purge 1,000,000 expired links, and the latency of
// generate through the gateway before and during the purge.
const LINKS = 1_000_000;
const CREATES_PER_SECOND = 100;
const SECONDS_BEFORE = 20;
const MAX_SECONDS = 280;

const purgeAMillion: Experiment = {
  id: "purge",
  timeoutMs: 10 * 60_000,
  async run({ testbed, signal, log, secondsUntil }: Trial) {
    await testbed.processes.end("worker-1", "SIGTERM");
    log(`inserting ${LINKS} expired links`);
    await insertExpiredLinks(testbed.databaseUrl, LINKS);
    log(`${CREATES_PER_SECOND} creates/s without a purge`);
    const before = await runLoad(plan(testbed.url, SECONDS_BEFORE), signal);
    log("the same load while the worker purges");
    const load = startLoad(plan(testbed.url, MAX_SECONDS), signal);
    await testbed.start("worker-1");
    const isPurged = async () => (await countExpiredLinks(testbed.databaseUrl)) === 0;
    const seconds = await secondsUntil(isPurged, 500_000, 500);
    load.stop();
    const during = await load.done;
    return [
      observed("links purged", `${LINKS} in ${seconds.toFixed(0)} s`),
      observed("generate before", latency(before)),
      observed("generate during the purge", latency(during)),
    ];
  },
};

function plan(origin: string, seconds: number) {
  const creates = newLinksToCreate(seconds * CREATES_PER_SECOND, productPages(100));
  const requests = creates.map(createRequest);
  return { origin, perSecond: CREATES_PER_SECOND, requests, total: requests.length };
}

function latency(exchanges: readonly Exchange[]): string {
  const created = exchanges.filter(({ response }) => response?.status === 201).length;
  const [p50, p99] = [0.5, 0.99].map((share) => percentileMs(exchanges, share).toFixed(0));
  return `p50 ${p50} ms, p99 ${p99} ms, ${created} of ${exchanges.length} created`;
}

const interruption = watchInterruption();
for (const { label, measured, passed } of await runExperiment(purgeAMillion, 1, interruption)) {
  console.log(`${passed ? "" : "✗ "}${label}: ${measured}`);
}
