import { watchInterruption } from "@tapthru/local/stack/interruption";
import { observed } from "../src/check-result.ts";
import { countExpiredLinks, insertExpiredLinks } from "../src/evidence/expired-links.ts";
import type { Trial } from "../src/fault-case.ts";
import { createRequest, makeCreates, productPages } from "../src/load/creates.ts";
import type { Exchange } from "../src/load/exchange.ts";
import { percentileMs } from "../src/load/latency.ts";
import { runLoad, startLoad } from "../src/load/load.ts";
import { type Experiment, tryOut } from "../src/run-case.ts";
import { secondsUntil } from "../src/until.ts";

// How long the real worker needs to purge 1,000,000 expired links, and how long generate takes
// through the gateway meanwhile, beside how long it took before.
const LINKS = 1_000_000;
const CREATES_PER_SECOND = 100;
const SECONDS_BEFORE = 20;
const SECONDS_AT_MOST = 280;

const purgeAMillion: Experiment = {
  id: "purge",
  withinMs: 10 * 60_000,
  async run({ testbed, signal, say }: Trial) {
    await testbed.processes.end("worker-1", "SIGTERM");
    say(`inserting ${LINKS} expired links`);
    await insertExpiredLinks(testbed.databaseUrl, LINKS);
    say(`${CREATES_PER_SECOND} creates/s, nobody purging`);
    const before = await runLoad(plan(testbed.url, SECONDS_BEFORE), signal);
    say("the same while the worker purges");
    const load = startLoad(plan(testbed.url, SECONDS_AT_MOST), signal);
    await testbed.start("worker-1");
    const isPurged = async () => (await countExpiredLinks(testbed.databaseUrl)) === 0;
    const seconds = await secondsUntil(isPurged, {
      withinMs: 500_000,
      everyMs: 500,
      signal,
    });
    load.stop();
    const meanwhile = await load.done;
    return [
      observed("links purged", `${LINKS} in ${seconds.toFixed(0)} s`),
      observed("generate before", latency(before)),
      observed("generate meanwhile", latency(meanwhile)),
    ];
  },
};

function plan(origin: string, seconds: number) {
  const creates = makeCreates(seconds * CREATES_PER_SECOND, productPages(100));
  const requests = creates.map(createRequest);
  return { origin, perSecond: CREATES_PER_SECOND, requests, repeats: false };
}

function latency(exchanges: readonly Exchange[]): string {
  const made = exchanges.filter(({ answer }) => answer?.status === 201).length;
  const [p50, p99] = [0.5, 0.99].map((share) => percentileMs(exchanges, share).toFixed(0));
  return `p50 ${p50} ms, p99 ${p99} ms, ${made} of ${exchanges.length} made`;
}

const interruption = watchInterruption(() => process.exit(130));
for (const { what, measured, holds } of await tryOut(purgeAMillion, 1, interruption)) {
  console.log(`${holds ? "" : "✗ "}${what}: ${measured}`);
}
