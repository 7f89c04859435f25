import { atMost, type CheckResult, equals, observed } from "../check-result.ts";
import { checkFlat, type ResourceSample } from "../evidence/resources.ts";
import { SLOPES_COUNT_FROM_S } from "../evidence/slope.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { destinationOf, insertLinks, newCodes } from "../load/insert-links.ts";
import { checkOperations, describeLoad, failureExamples } from "../load/soak/check-soak.ts";
import { measureSoak } from "../load/soak/measure-soak.ts";
import { sumOf } from "../load/soak/soak-load.ts";
import type { Visit } from "../load/visits/visits.ts";
import { warmCaches } from "../load/visits/warm-links.ts";

const MAX_PER_SECOND = 2_000;
/** A slower machine cannot run the case in time. */
const MIN_PER_SECOND = 5;
const VISITS_PER_LINK = 10;
const MIN_LINKS = 10_000;
const MAX_LINKS = 1_000_000;
const WARM_LINKS = 1_000;
const LINKS_PER_STATEMENT = 10_000;
const MAX_RESTARTS = 50;
/** Longer than the worker takes to notice that Redis is empty. */
const MIN_SECONDS_BETWEEN_RESTARTS = 20;
const OUTAGE_MS = 500;
const MAX_MEMORY_MB = 200;
/** The gateway has up to 512 visits and 64 reports in progress at a redirect, which has some handles of its own. */
const MAX_HANDLES = 640;
const REDIRECTS = ["redirect-1", "redirect-2"] as const;

/** @param visits `--visits` sets it */
export function soak(visits: number): FaultCase {
  const links = Math.min(MAX_LINKS, Math.max(MIN_LINKS, Math.ceil(visits / VISITS_PER_LINK)));
  return {
    id: "R25",
    title: "Soak with restarts of Redis",
    expected:
      "memory ≤ 200 MB and not growing, handles and sockets flat, 0 failed visits of warm links, with 10,000,000 visits of 1,000,000 links",
    procedure: `\`--visits\` sets the number of visits; this run had ${visits.toLocaleString("en")} of ${links.toLocaleString("en")} links that are only in Postgres, chosen by Zipf's law. The ${WARM_LINKS.toLocaleString("en")} most popular ones are loaded into the memory of both replicas. Then the rate through nginx is raised until visits fail or take over a second; half of the highest rate that was served is the load, at most ${MAX_PER_SECOND.toLocaleString("en")} per second. The first minute at that rate does not count. If other programs keep the load generator from its core, the visits that are due wait, and are not sent all at once. In equal intervals of at least ${MIN_SECONDS_BETWEEN_RESTARTS} s, at most ${MAX_RESTARTS} times, both Redis servers are killed with SIGKILL and started again after half a second; the cache is then empty. Slopes have limits only in a run of at least ${SLOPES_COUNT_FROM_S / 60} minutes, because memory for links fills slowly.`,
    timeoutMs: 20 * 60_000 + (visits / MIN_PER_SECOND) * 1_000,
    run: (trial) => soakWithRestarts(trial, visits, links),
  };
}

async function soakWithRestarts(
  trial: Trial,
  visits: number,
  links: number,
): Promise<CheckResult[]> {
  const { testbed, log, random } = trial;
  log(`inserting ${links} links`);
  const codes = newCodes(links);
  for (let first = 0; first < links; first += LINKS_PER_STATEMENT)
    await insertLinks(testbed.databaseUrl, codes.slice(first, first + LINKS_PER_STATEMENT));
  const warm = codes.slice(0, WARM_LINKS).map(toVisit);
  log(`warming up ${warm.length} links`);
  await warmCaches(trial, warm);

  const pids = REDIRECTS.map((name) => testbed.processes.pid(name));
  const { samples, windows, result, ...load } = await measureSoak(trial, {
    plan: {
      origin: testbed.url,
      seed: Math.floor(random() * 2 ** 32),
      codes,
      warmLinks: WARM_LINKS,
      owner: null,
    },
    maxPerSecond: MAX_PER_SECOND,
    total: () => visits,
    services: REDIRECTS,
    whileLoaded: (seconds) => restartRedis(trial, seconds),
  });
  const unchanged = REDIRECTS.filter((name, i) => testbed.processes.pid(name) === pids[i]);
  return [
    ...describeLoad(load, windows),
    equals("restarts of both Redis servers", result.restarts, result.planned),
    ...checkOperations("visits of warm links", windows, "warm"),
    observed("visits of other links", sumOf(windows, "cold", "operations")),
    observed("of these, failed", sumOf(windows, "cold", "failed")),
    ...failureExamples(windows),
    ...REDIRECTS.flatMap((name) => [
      largest(samples, name, "resident memory", MAX_MEMORY_MB, "MB"),
      largest(samples, name, "handles", MAX_HANDLES),
    ]),
    ...checkFlat(samples),
    equals("redirects that did not restart", unchanged.length, REDIRECTS.length),
  ];
}

/** Kills and starts both Redis servers in equal intervals. */
async function restartRedis({ testbed, pause, log }: Trial, seconds: number) {
  const planned = Math.min(MAX_RESTARTS, Math.floor(seconds / MIN_SECONDS_BETWEEN_RESTARTS));
  const intervalMs = (seconds * 1_000) / (planned + 1);
  let restarts = 0;
  for (; restarts < planned; restarts++) {
    await pause(intervalMs);
    log(`restart ${restarts + 1} of ${planned}`);
    await crash(testbed, "cache Redis", "queue Redis");
    await pause(OUTAGE_MS);
    await testbed.start("cache Redis", "queue Redis");
  }
  return { planned, restarts };
}

function largest(
  samples: readonly ResourceSample[],
  process: (typeof REDIRECTS)[number],
  what: "resident memory" | "handles",
  limit: number,
  unit = "",
): CheckResult {
  const figures = samples.flatMap((sample) => sample.figures);
  const values = figures.filter((one) => one.process === process && one.what === what);
  const value = Math.max(...values.map((one) => one.value));
  return atMost(`${process}: ${what}, largest`, value, limit, unit);
}

function toVisit(shortCode: string): Visit {
  return { shortCode, location: destinationOf(shortCode) };
}
