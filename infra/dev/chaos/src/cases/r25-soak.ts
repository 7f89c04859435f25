import { atMost, type CheckResult, equals, observed } from "../check-result.ts";
import { checkFlat, type ResourceSample, sampleResources } from "../evidence/resources.ts";
import { sampleWhile } from "../evidence/sampling.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { destinationOf, insertLinks, newCodes } from "../load/insert-links.ts";
import { checkOperations, failureExamples } from "../load/soak/check-soak.ts";
import { runSoak, sumOf } from "../load/soak/soak-load.ts";
import type { Visit } from "../load/visits/visits.ts";
import { warmCaches } from "../load/visits/warm-links.ts";

const PER_SECOND = 2_000;
const VISITS_PER_LINK = 10;
const MAX_LINKS = 1_000_000;
const WARM_LINKS = 1_000;
const LINKS_PER_STATEMENT = 10_000;
const RESTARTS = 50;
const OUTAGE_MS = 500;
const WINDOW_S = 5;
const SAMPLE_MS = 1_000;
const MAX_MEMORY_MB = 200;
const REDIRECTS = ["redirect-1", "redirect-2"] as const;

/** @param visits `--visits` sets it */
export function soak(visits: number): FaultCase {
  const links = Math.min(MAX_LINKS, Math.ceil(visits / VISITS_PER_LINK));
  return {
    id: "R25",
    title: "Soak with restarts of Redis",
    expected:
      "memory ≤ 200 MB and not growing, handles and sockets flat, 0 failed visits of warm links, with 10,000,000 visits of 1,000,000 links",
    procedure: `\`--visits\` sets the number of visits; this run had ${visits.toLocaleString("en")} of ${links.toLocaleString("en")} links that are only in Postgres, chosen by Zipf's law, ${PER_SECOND.toLocaleString("en")} per second through nginx, after the ${WARM_LINKS.toLocaleString("en")} most popular ones were loaded into the memory of both replicas. ${RESTARTS} times, in equal intervals, both Redis servers are killed with SIGKILL and started again after half a second; the cache is then empty. Slopes are those of the second half, because memory for links fills in the first.`,
    timeoutMs: 10 * 60_000 + (visits / PER_SECOND) * 1_500,
    run: (trial) => soakWithRestarts(trial, visits, links),
  };
}

async function soakWithRestarts(
  trial: Trial,
  visits: number,
  links: number,
): Promise<CheckResult[]> {
  const { testbed, signal, log, random } = trial;
  log(`inserting ${links} links`);
  const codes = newCodes(links);
  for (let first = 0; first < links; first += LINKS_PER_STATEMENT)
    await insertLinks(testbed.databaseUrl, codes.slice(first, first + LINKS_PER_STATEMENT));
  const warm = codes.slice(0, WARM_LINKS).map(toVisit);
  log(`warming up ${warm.length} links`);
  await warmCaches(trial, warm);

  log(`visiting links ${visits} times, while Redis restarts ${RESTARTS} times`);
  const pids = REDIRECTS.map((name) => testbed.processes.pid(name));
  const plan = {
    origin: testbed.url,
    perSecond: PER_SECOND,
    total: visits,
    windowSeconds: WINDOW_S,
    seed: Math.floor(random() * 2 ** 32),
    codes,
    warmLinks: WARM_LINKS,
    owner: null,
  };
  const [samples, [windows, restarts]] = await sampleWhile(
    () => sampleResources(testbed, REDIRECTS),
    () => Promise.all([runSoak(plan, signal), restartRedis(trial, visits / PER_SECOND)]),
    SAMPLE_MS,
  );
  const secondHalf = samples.slice(Math.floor(samples.length / 2));
  const unchanged = REDIRECTS.filter((name, i) => testbed.processes.pid(name) === pids[i]);
  return [
    equals("restarts of both Redis servers", restarts, RESTARTS),
    ...checkOperations("visits of warm links", windows, "warm"),
    observed("visits of other links", sumOf(windows, "cold", "operations")),
    observed("of these, failed", sumOf(windows, "cold", "failed")),
    ...failureExamples(windows),
    ...checkMemory(samples),
    ...checkFlat(secondHalf),
    equals("redirects that did not restart", unchanged.length, REDIRECTS.length),
  ];
}

/** Kills and starts both Redis servers in equal intervals. Returns how often it did. */
async function restartRedis({ testbed, pause }: Trial, seconds: number): Promise<number> {
  const intervalMs = (seconds * 1_000) / (RESTARTS + 1);
  let restarts = 0;
  while (restarts < RESTARTS) {
    const begin = performance.now();
    await crash(testbed, "cache Redis", "queue Redis");
    await pause(OUTAGE_MS);
    await testbed.start("cache Redis", "queue Redis");
    restarts++;
    await pause(Math.max(0, intervalMs - (performance.now() - begin)));
  }
  return restarts;
}

/** The largest memory of each replica. */
function checkMemory(samples: readonly ResourceSample[]): CheckResult[] {
  const figures = samples.flatMap((sample) => sample.figures);
  return REDIRECTS.map((name) => {
    const memory = figures.filter((one) => one.process === name && one.what === "resident memory");
    const largest = Math.max(...memory.map(({ value }) => value));
    return atMost(`${name}: largest resident memory`, largest, MAX_MEMORY_MB, "MB");
  });
}

function toVisit(shortCode: string): Visit {
  return { shortCode, location: destinationOf(shortCode) };
}
