import { setTimeout as delay } from "node:timers/promises";
import { BROKEN_LINKS } from "@tapthru/amazon-stand-in/short-links";
import { purgeIdempotencyKeys } from "@tapthru/proto/jobs/purge-idempotency-keys";
import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import { slowestProjection } from "../evidence/link-rows.ts";
import { readMetric } from "../evidence/metrics.ts";
import { areRead, type PageRow, readPageRows } from "../evidence/page-rows.ts";
import { timeJob } from "../evidence/queues.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { makeCreates, productPages } from "../load/creates.ts";
import { unexpectedResponses } from "../load/exchange.ts";
import { percentileMs } from "../load/latency.ts";
import { startLoad } from "../load/load.ts";
import { makeLinks } from "../load/make-links.ts";
import { makeVisits, visitFailures, visitRequest } from "../load/visits.ts";
import { secondsUntil, until } from "../until.ts";
import { HUNG_PAGES, OBSTACLE_PAGES, TRAP_PAGES } from "./r23-hostile-pages.ts";

const JOBS_TIMED = 5;

export const hostileAmazon: FaultCase = {
  id: "R23",
  title: "Hostile Amazon",
  mustHold:
    "generate answers ≤ 5.5 s; ≤ 2 MiB after decompression; event-loop p99 ≤ 50 ms; captcha never stored; 20 hung scrapes do not delay other jobs",
  done: "100 links are visited 100 times a second all the while. Twenty pages that hang are to be read; meanwhile short links are pasted that hang, drip, never end, go round in circles, or answer with errors and nonsense, each three times, and 10 plain links a second. Then pages are to be read that are captchas, errors, a consent form, a gzip bomb, endless, dripping, huge, circular or malformed.",
  withinMs: 5 * 60_000,
  async run(trial) {
    const { testbed, signal, say } = trial;
    const pages = productPages(5);
    const warm = makeCreates(100, pages);
    const visits = makeVisits(warm, await makeLinks(trial, warm, 20));
    await until("the first pages are read", () => areRead(testbed.databaseUrl, pages), {
      withinMs: 60_000,
      signal,
    });
    // Reading this figure begins it anew.
    await judgeProcesses(trial);
    const load = startLoad(
      {
        origin: testbed.url,
        perSecond: 100,
        requests: visits.map(visitRequest),
        repeats: true,
      },
      signal,
    );
    say("pasting hostile short links while twenty pages hang");
    const pasting = await pasteWhilePagesHang(trial, pages);
    say("reading hostile pages");
    const reading = await readHostilePages(trial);
    load.stop();
    const visited = await load.done;
    return [
      ...pasting,
      ...reading,
      ...(await judgeProcesses(trial)),
      observed("visits", visited.length),
      none("visits failed", visitFailures(visits, visited)),
    ];
  },
};

async function pasteWhilePagesHang(trial: Trial, knownPages: string[]): Promise<CheckResult[]> {
  const { databaseUrl } = trial.testbed;
  await makeLinks(trial, makeCreates(HUNG_PAGES.length, HUNG_PAGES), 20);
  const broken = Object.keys(BROKEN_LINKS).map((link) => `https://${link}`);
  const hostile = makeCreates(3 * broken.length, broken);
  const plain = makeCreates(180, knownPages);
  const [answers, created, jobs] = await Promise.all([
    makeLinks(trial, hostile, 3),
    makeLinks(trial, plain, 10),
    timeJobs(trial),
  ]);
  const givenUp = (await rowsOf(trial, HUNG_PAGES)).filter(wasTried).length;
  const slowestAnswer = percentileMs(answers, 1) / 1_000;
  const slowestProjected = await slowestProjection(databaseUrl);
  return [
    observed("hostile short links pasted", answers.length),
    atMost("slowest answer to one", slowestAnswer, 5.5, "s"),
    none("not refused with 422, 502 or 504", unexpectedResponses([422, 502, 504], answers)),
    none("plain links not made meanwhile", unexpectedResponses([201], created)),
    observed("99th percentile of making them (ms)", Math.round(percentileMs(created, 0.99))),
    observed("hanging pages given up by then", `${givenUp} of ${HUNG_PAGES.length}`),
    atMost("slowest job of another kind meanwhile", Math.max(...jobs), 2, "s"),
    atMost("slowest way of a link into the redirect records", slowestProjected, 2, "s"),
  ];
}

async function readHostilePages(trial: Trial): Promise<CheckResult[]> {
  const { signal } = trial;
  const hostile = [...OBSTACLE_PAGES, ...TRAP_PAGES];
  await makeLinks(trial, makeCreates(hostile.length, hostile), 20);
  const pages = [...HUNG_PAGES, ...hostile];
  const seconds = await secondsUntil(
    async () => (await rowsOf(trial, pages)).filter(wasTried).length === pages.length,
    { withinMs: 120_000, signal },
  );
  const keptOf = (rows: PageRow[]) =>
    rows
      .filter(({ title, imageUrl }) => title !== null || imageUrl !== null)
      .map(({ canonicalUrl, title }) => `${canonicalUrl}: ${title}`);
  return [
    atMost("until every hostile page had been tried", seconds, 120, "s"),
    none("captchas, errors and consent forms kept", keptOf(await rowsOf(trial, OBSTACLE_PAGES))),
    none("hanging pages kept", keptOf(await rowsOf(trial, HUNG_PAGES))),
    observed("what came of the traps", outcomes(await rowsOf(trial, TRAP_PAGES))),
  ];
}

async function timeJobs({ testbed, signal }: Trial): Promise<number[]> {
  const seconds: number[] = [];
  for (let job = 0; job < JOBS_TIMED; job++) {
    seconds.push(await timeJob(testbed.places.queuePort, purgeIdempotencyKeys.name, signal));
    await delay(2_000, undefined, { signal });
  }
  return seconds;
}

async function rowsOf({ testbed }: Trial, pages: readonly string[]): Promise<PageRow[]> {
  const rows = await readPageRows(testbed.databaseUrl);
  return pages.flatMap((page) => rows.get(page) ?? []);
}

function wasTried({ attempts, secondsToRead }: PageRow): boolean {
  return attempts > 0 || secondsToRead !== null;
}

function outcomes(rows: readonly PageRow[]): string {
  return rows
    .map(({ canonicalUrl, lastOutcome }) => `${canonicalUrl.slice(-10)} ${lastOutcome}`)
    .join(", ");
}

/** The delays of the event loops since they were read last, and what memory the processes use. */
async function judgeProcesses({ testbed }: Trial): Promise<CheckResult[]> {
  const { first, second } = testbed.places;
  const adminPorts = {
    "api-1": first.ports.API_ADMIN_PORT,
    "api-2": second.ports.API_ADMIN_PORT,
    "worker-1": first.ports.WORKER_ADMIN_PORT,
  };
  const findings = Object.entries(adminPorts).map(async ([name, port]) => {
    const delaySeconds = await readMetric(port, "nodejs_eventloop_lag_p99_seconds");
    const bytes = await readMetric(port, "process_resident_memory_bytes");
    return [
      atMost(`${name}: 99th percentile of the event loop's delay`, delaySeconds * 1_000, 50, "ms"),
      observed(`${name}: resident memory (MB)`, Math.round(bytes / 1e6)),
    ];
  });
  return (await Promise.all(findings)).flat();
}
