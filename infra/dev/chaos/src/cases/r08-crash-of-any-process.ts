import { atMost, type CheckResult, observed } from "../check-result.ts";
import { isOutboxProjected, readLinkRows } from "../evidence/link-rows.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { type CrashTarget, crashAtRandom } from "../injectors/crash-at-random.ts";
import { createLinksWithRetry } from "../load/create-links.ts";
import {
  createRequest,
  newLinksToCreate,
  productPages,
  readCreateOutcomes,
} from "../load/creates.ts";
import { startLoad } from "../load/load.ts";
import { visitOnce } from "../load/visits/visit-load.ts";
import { checkCrashes } from "./r08-checks.ts";

export const crashOfAnyProcess: FaultCase = {
  id: "R8",
  title: "Crash of any process during creates",
  expected:
    "0 of all 201/200 lost: each resolves to its exact URL after restart; no link without its outbox row; a retry of a create without a response returns the same code; no duplicate rows",
  procedure:
    "10,000 creates of different URLs, 120 per second, each with an Idempotency-Key. At 20 random instants a process is killed with SIGKILL and started again: api and redirect (two replicas each), worker, nginx, both Redis servers, Postgres (also by an immediate stop). Each create that returned no link is retried with its key, up to five times while the response is 502, 503 or 504. All retries are sent a second time, then every link is visited.",
  timeoutMs: 6 * 60_000,
  run: (trial) => crashDuringCreates(trial, { creates: 10_000, perSecond: 120, crashes: 20 }),
};

const TARGETS: readonly CrashTarget[] = [
  "api-1",
  "api-2",
  "redirect-1",
  "redirect-2",
  "worker-1",
  "gateway",
  "cache Redis",
  "queue Redis",
  "Postgres",
  "Postgres, by an immediate stop",
];

/** Few, because this case does not test the fetching of pages. */
const PAGES = 20;

interface Size {
  creates: number;
  perSecond: number;
  crashes: number;
}

export async function crashDuringCreates(trial: Trial, size: Size): Promise<CheckResult[]> {
  const { testbed, signal, log, secondsUntil } = trial;
  const { url: origin, databaseUrl } = testbed;
  const { perSecond } = size;

  log(`creating ${size.creates} links while ${size.crashes} processes are killed`);
  const creates = newLinksToCreate(size.creates, productPages(PAGES));
  const requests = creates.map(createRequest);
  const load = startLoad({ origin, perSecond, requests, total: requests.length }, signal);
  const durationMs = (size.creates / perSecond) * 1_000;
  const crashes = await crashAtRandom(trial, TARGETS, { count: size.crashes, durationMs });
  const first = readCreateOutcomes(creates, await load.done);

  log(`retrying the ${first.notCreated.length} creates that returned no link`);
  const { codeByUrl: committed } = await readLinkRows(databaseUrl);
  const retry = () => createLinksWithRetry(trial, first.notCreated, 50);
  const retries = [await retry(), await retry()] as const;

  const projected = await secondsUntil(() => isOutboxProjected(databaseUrl), 60_000);
  const visits = [...first.created, ...retries[0]].map(([location, shortCode]) => ({
    location,
    shortCode,
  }));
  log(`visiting the ${visits.length} links`);
  const opened = await visitOnce(trial, visits, 300);
  const rows = await readLinkRows(databaseUrl);
  return [
    observed("killed", crashes.map(({ target }) => target).join(", ")),
    ...checkCrashes({ first, retries, committed, rows, visits, opened }),
    atMost("time until the outbox was relayed to Redis", projected, 60, "s"),
  ];
}
