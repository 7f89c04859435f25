import { BROKEN_LINKS } from "@tapthru/amazon-stand-in/short-links";
import { purgeIdempotencyKeys } from "@tapthru/proto/jobs/purge-idempotency-keys";
import { atLeast, atMost, type CheckResult, none, observed } from "../check-result.ts";
import { longestProjectionSeconds } from "../evidence/link-rows.ts";
import { readMetric } from "../evidence/metrics.ts";
import { areFetched, type PageRow, readPageRows } from "../evidence/page-rows.ts";
import { measureJob } from "../evidence/queues.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { createLinks } from "../load/create-links.ts";
import { newLinksToCreate, productPages } from "../load/creates.ts";
import { unexpectedResponses } from "../load/exchange.ts";
import { percentileMs } from "../load/latency.ts";
import { visitWhile } from "../load/visits/visit-load.ts";
import { toVisits, visitFailures } from "../load/visits/visits.ts";
import { adminPort } from "../testbed/testbed-config.ts";
import { EXHAUSTING_PAGES, HANGING_PAGES, OBSTACLE_PAGES } from "./r23-hostile-pages.ts";

const MEASURED_JOBS = 5;

export const hostileAmazon: FaultCase = {
  id: "R23",
  title: "Hostile Amazon",
  expected:
    "generate responds ≤ 5.5 s; ≤ 2 MiB after decompression; event-loop p99 ≤ 50 ms; captcha never stored; 20 hanging scrapes do not delay other jobs",
  procedure:
    "100 links are visited 100 times per second throughout. Twenty pages that hang are fetched. At the same time, each of the hostile short links (hanging, slow, endless, circular, with errors or invalid content) is submitted three times, and 10 valid creates per second are sent. Then pages are fetched that are captchas, errors, a consent form, a gzip bomb, endless, slow, huge, circular or malformed.",
  timeoutMs: 5 * 60_000,
  async run(trial) {
    const { testbed, log, until } = trial;
    const pages = productPages(5);
    const warm = newLinksToCreate(100, pages);
    const visits = toVisits(warm, await createLinks(trial, warm, 20));
    await until(
      "the first pages are fetched",
      () => areFetched(testbed.databaseUrl, pages),
      60_000,
    );
    // Reading the event loop delay resets it.
    await checkProcesses(trial);
    const [visited, results] = await visitWhile(trial, { visits, perSecond: 100 }, async () => {
      log("submitting hostile short links while twenty pages hang");
      const creates = await createWhilePagesHang(trial, pages);
      log("fetching hostile pages");
      return [...creates, ...(await readHostilePages(trial))];
    });
    return [
      ...results,
      ...(await checkProcesses(trial)),
      atLeast("visits", visited.length, warm.length),
      none("failed visits", visitFailures(visits, visited)),
    ];
  },
};

async function createWhilePagesHang(trial: Trial, knownPages: string[]): Promise<CheckResult[]> {
  const { databaseUrl } = trial.testbed;
  await createLinks(trial, newLinksToCreate(HANGING_PAGES.length, HANGING_PAGES), 20);
  const broken = Object.keys(BROKEN_LINKS).map((link) => `https://${link}`);
  const hostile = newLinksToCreate(3 * broken.length, broken);
  const plain = newLinksToCreate(180, knownPages);
  const [responses, created, jobs] = await Promise.all([
    createLinks(trial, hostile, 3),
    createLinks(trial, plain, 10),
    measureJobs(trial),
  ]);
  const attempted = (await readRows(trial, HANGING_PAGES)).filter(wasAttempted).length;
  const slowestResponse = percentileMs(responses, 1) / 1_000;
  const slowestProjected = await longestProjectionSeconds(databaseUrl);
  return [
    observed("hostile short links pasted", responses.length),
    atMost("slowest response to a hostile short link", slowestResponse, 5.5, "s"),
    none(
      "hostile short links not refused with 422, 502 or 504",
      unexpectedResponses([422, 502, 504], responses),
    ),
    none("valid links not created at the same time", unexpectedResponses([201], created)),
    observed(
      "99th percentile of creating valid links (ms)",
      Math.round(percentileMs(created, 0.99)),
    ),
    observed("hanging pages attempted by then", `${attempted} of ${HANGING_PAGES.length}`),
    atMost("slowest job of another kind", Math.max(...jobs), 2, "s"),
    atMost("slowest relay of a link to Redis", slowestProjected, 2, "s"),
  ];
}

async function readHostilePages(trial: Trial): Promise<CheckResult[]> {
  const { secondsUntil } = trial;
  const hostile = [...OBSTACLE_PAGES, ...EXHAUSTING_PAGES];
  await createLinks(trial, newLinksToCreate(hostile.length, hostile), 20);
  const pages = [...HANGING_PAGES, ...hostile];
  const seconds = await secondsUntil(
    async () => (await readRows(trial, pages)).filter(wasAttempted).length === pages.length,
    120_000,
  );
  const withContent = (rows: PageRow[]) =>
    rows
      .filter(({ title, imageUrl }) => title !== null || imageUrl !== null)
      .map(({ canonicalUrl, title }) => `${canonicalUrl}: ${title}`);
  return [
    atMost("time until every hostile page was attempted", seconds, 120, "s"),
    none(
      "captchas, errors and consent forms stored",
      withContent(await readRows(trial, OBSTACLE_PAGES)),
    ),
    none("hanging pages stored", withContent(await readRows(trial, HANGING_PAGES))),
    observed("outcomes of the trap pages", outcomes(await readRows(trial, EXHAUSTING_PAGES))),
  ];
}

async function measureJobs(trial: Trial): Promise<number[]> {
  const seconds: number[] = [];
  for (let job = 0; job < MEASURED_JOBS; job++) {
    seconds.push(await measureJob(trial, purgeIdempotencyKeys.name));
    await trial.pause(2_000);
  }
  return seconds;
}

async function readRows({ testbed }: Trial, pages: readonly string[]): Promise<PageRow[]> {
  const rows = await readPageRows(testbed.databaseUrl);
  return pages.flatMap((page) => rows.get(page) ?? []);
}

function wasAttempted({ attempts, secondsToFetch }: PageRow): boolean {
  return attempts > 0 || secondsToFetch !== null;
}

function outcomes(rows: readonly PageRow[]): string {
  return rows
    .map(({ canonicalUrl, lastOutcome }) => `${canonicalUrl.slice(-10)} ${lastOutcome}`)
    .join(", ");
}

/** Checks the event loop delay since the last reading, and reports memory. */
async function checkProcesses({ testbed }: Trial): Promise<CheckResult[]> {
  const results = (["api-1", "api-2", "worker-1"] as const).map(async (name) => {
    const port = adminPort(testbed.config, name);
    const delaySeconds = await readMetric(port, "nodejs_eventloop_lag_p99_seconds");
    const bytes = await readMetric(port, "process_resident_memory_bytes");
    return [
      atMost(`${name}: 99th percentile of the event loop delay`, delaySeconds * 1_000, 50, "ms"),
      observed(`${name}: resident memory (MB)`, Math.round(bytes / 1e6)),
    ];
  });
  return (await Promise.all(results)).flat();
}
