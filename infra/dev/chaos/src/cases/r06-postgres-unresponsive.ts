import { withClient } from "@tapthru/postgres/with-client";
import { atMost, type CheckResult, observed, withPrefix } from "../check-result.ts";
import { readMetric } from "../evidence/metrics.ts";
import { sampleWhile } from "../evidence/sampling.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { whileFrozen } from "../injectors/freeze.ts";
import { checkRefusals } from "../load/check-refusals.ts";
import { createLinks } from "../load/create-links.ts";
import { newLinksToCreate, productPages } from "../load/creates.ts";
import type { Exchange } from "../load/exchange.ts";
import { percentileMs } from "../load/latency.ts";
import { recoveryMs } from "../load/recovery.ts";
import { checkVisits } from "../load/visits/check-visits.ts";
import { visitWhile } from "../load/visits/visit-load.ts";
import type { Visit } from "../load/visits/visits.ts";
import { insertWarmLinks } from "../load/visits/warm-links.ts";
import type { Testbed } from "../testbed/testbed.ts";
import { apiEndpoints } from "../testbed/testbed-config.ts";

const UNRESPONSIVE_S = 30;
const VISITS_PER_SECOND = 300;
const CREATES_PER_SECOND = 30;
/** Each of the two replicas has 10 connections, and up to 50 requests wait for each connection. */
const MAX_IN_FLIGHT = 2 * 10 * 51;
const NORMAL_CREATE_MS = 250;

export const postgresUnresponsive: FaultCase = {
  id: "R6",
  title: "Postgres unresponsive",
  expected:
    "redirects unaffected; API 503 ≤ 2 s (acquire + statement timeout); in-flight requests bounded; full speed ≤ 3 s after",
  procedure:
    "1,000 links in memory are visited 300 times per second and 30 creates per second are sent, first for a baseline of 30 s, then while Postgres and all its backends are stopped with SIGSTOP for 30 s, and again while the table links is locked for 30 s. Full speed: every create returns 201 within 250 ms, or within 1.5 times the 99th percentile of the baseline if that is longer.",
  timeoutMs: 5 * 60_000,
  async run(trial) {
    const { testbed } = trial;
    const visits = await insertWarmLinks(trial, 1_000);
    // Sampled as during the fault, because each sample takes the services' core some milliseconds.
    const [before, [, created]] = await visitWhile(
      trial,
      { visits, perSecond: VISITS_PER_SECOND },
      () =>
        sampleWhile(
          () => requestsInFlight(testbed),
          () => create(trial, UNRESPONSIVE_S),
        ),
    );
    const createMs = percentileMs(created, 0.99);
    const baseline = { visits, before, normalCreateMs: Math.max(NORMAL_CREATE_MS, 1.5 * createMs) };
    return [
      observed("99th percentile of creates before (ms)", Math.round(createMs)),
      ...(await testUnresponsive(trial, baseline, "stopped", (work) =>
        whileFrozen(testbed, ["Postgres"], work),
      )),
      ...(await testUnresponsive(trial, baseline, "locked", (work) => whileLocked(testbed, work))),
    ];
  },
};

type RunDuringFault = (work: () => Promise<Exchange[]>) => Promise<Exchange[]>;

interface Baseline {
  visits: readonly Visit[];
  before: readonly Exchange[];
  normalCreateMs: number;
}

async function testUnresponsive(
  trial: Trial,
  { visits, before, normalCreateMs }: Baseline,
  phase: string,
  during: RunDuringFault,
): Promise<CheckResult[]> {
  const { testbed, log } = trial;
  log(`making links while Postgres is ${phase}`);
  const [visited, { inFlight, refused, after }] = await visitWhile(
    trial,
    { visits, perSecond: VISITS_PER_SECOND },
    async () => {
      const [inFlight, refused] = await sampleWhile(
        () => requestsInFlight(testbed),
        () => during(() => create(trial, UNRESPONSIVE_S)),
      );
      return { inFlight, refused, after: await create(trial, 10) };
    },
  );
  const recovery = recoveryMs(
    after,
    ({ response, tookMs }) => response?.status === 201 && tookMs <= normalCreateMs,
  );
  return withPrefix(phase, [
    ...checkRefusals("creates", refused, 2_000),
    atMost(
      "maximum requests of both api replicas waiting for Postgres",
      Math.max(...inFlight),
      MAX_IN_FLIGHT,
    ),
    atMost("time until creates ran at full speed again", recovery / 1_000, 3, "s"),
    ...checkVisits({ visits, before, during: visited, maxRatio: 1.5 }),
  ]);
}

function create(trial: Trial, seconds: number): Promise<Exchange[]> {
  const creates = newLinksToCreate(CREATES_PER_SECOND * seconds, productPages(5));
  return createLinks(trial, creates, CREATES_PER_SECOND);
}

function whileLocked({ databaseUrl }: Testbed, work: () => Promise<Exchange[]>) {
  return withClient(databaseUrl, async (client) => {
    await client.query("BEGIN");
    await client.query("LOCK TABLE links");
    const exchanges = await work();
    await client.query("ROLLBACK");
    return exchanges;
  });
}

async function requestsInFlight({ config }: Testbed): Promise<number> {
  const counts = await Promise.all(
    apiEndpoints(config).flatMap(({ adminPort }) => [
      readMetric(adminPort, "tapthru_postgres_connections", { state: "active" }),
      readMetric(adminPort, "tapthru_postgres_waiting_requests"),
    ]),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
