import { withClient } from "@tapthru/postgres/with-client";
import { atMost, type CheckResult, observed, of } from "../check-result.ts";
import { readMetric } from "../evidence/metrics.ts";
import { sampleWhile } from "../evidence/sampling.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { freezePostgres, thawPostgres } from "../injectors/freeze-postgres.ts";
import { checkRefusals } from "../load/check-refusals.ts";
import { checkVisits } from "../load/check-visits.ts";
import { makeCreates, productPages } from "../load/creates.ts";
import type { Exchange } from "../load/exchange.ts";
import { percentileMs } from "../load/latency.ts";
import { makeLinks } from "../load/make-links.ts";
import { recoveryMs } from "../load/recovery.ts";
import { visitWhile } from "../load/visiting.ts";
import type { Visit } from "../load/visits.ts";
import { makeWarmLinks } from "../load/warm-links.ts";
import { apiDoors } from "../testbed/places.ts";
import type { Testbed } from "../testbed/testbed.ts";

const HUNG_S = 30;
const VISITS_PER_SECOND = 300;
const CREATES_PER_SECOND = 30;
/** A replica has 10 connections, and lets 50 wait for each. */
const IN_FLIGHT = 2 * 10 * 51;
const FULL_SPEED_MS = 250;

export const postgresHung: FaultCase = {
  id: "R6",
  title: "Postgres hung",
  mustHold:
    "redirects unaffected; API 503 ≤ 2 s (acquire + statement timeout); in-flight requests bounded; full speed ≤ 3 s after",
  done: "1,000 links in memory are visited 300 times a second and 30 links a second are to be made, for 30 s as a baseline, then while Postgres and all its backends are stopped by SIGSTOP for 30 s, and again while the table of links is locked for 30 s. Full speed: every create is answered 201 within 250 ms, or half as long again as 99 of 100 took before.",
  withinMs: 5 * 60_000,
  async run(trial) {
    const { testbed } = trial;
    const visits = await makeWarmLinks(trial, 1_000);
    // Looked at alike: each look costs the services' core some milliseconds.
    const [before, [, created]] = await visitWhile(
      trial,
      { visits, perSecond: VISITS_PER_SECOND },
      () =>
        sampleWhile(
          () => requestsInFlight(testbed),
          () => create(trial, HUNG_S),
        ),
    );
    const createMs = percentileMs(created, 0.99);
    const normally = { visits, before, fullSpeedMs: Math.max(FULL_SPEED_MS, 1.5 * createMs) };
    return [
      observed("99th percentile of creates before (ms)", Math.round(createMs)),
      ...(await hang(trial, normally, "stopped", (work) => whileFrozen(testbed, work))),
      ...(await hang(trial, normally, "locked", (work) => whileLocked(testbed, work))),
    ];
  },
};

type During = (work: () => Promise<Exchange[]>) => Promise<Exchange[]>;

interface Normally {
  visits: readonly Visit[];
  before: readonly Exchange[];
  fullSpeedMs: number;
}

async function hang(
  trial: Trial,
  { visits, before, fullSpeedMs }: Normally,
  how: string,
  during: During,
): Promise<CheckResult[]> {
  const { testbed, say } = trial;
  say(`making links while Postgres is ${how}`);
  const [visited, { inFlight, refused, after }] = await visitWhile(
    trial,
    { visits, perSecond: VISITS_PER_SECOND },
    async () => {
      const [inFlight, refused] = await sampleWhile(
        () => requestsInFlight(testbed),
        () => during(() => create(trial, HUNG_S)),
      );
      return { inFlight, refused, after: await create(trial, 10) };
    },
  );
  const recovery = recoveryMs(
    after,
    ({ answer, tookMs }) => answer?.status === 201 && tookMs <= fullSpeedMs,
  );
  return of(how, [
    ...checkRefusals("creates", refused, 2_000),
    atMost("most requests of both api on their way to Postgres", Math.max(...inFlight), IN_FLIGHT),
    atMost("until creates were made at full speed again", recovery / 1_000, 3, "s"),
    ...checkVisits({ visits, before, meanwhile: visited, maxRatio: 1.5 }),
  ]);
}

function create(trial: Trial, seconds: number): Promise<Exchange[]> {
  const creates = makeCreates(CREATES_PER_SECOND * seconds, productPages(5));
  return makeLinks(trial, creates, CREATES_PER_SECOND);
}

async function whileFrozen(testbed: Testbed, work: () => Promise<Exchange[]>) {
  freezePostgres(testbed);
  try {
    return await work();
  } finally {
    thawPostgres(testbed);
  }
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

async function requestsInFlight({ places }: Testbed): Promise<number> {
  const counts = await Promise.all(
    apiDoors(places).flatMap(({ adminPort }) => [
      readMetric(adminPort, "tapthru_postgres_connections", { state: "active" }),
      readMetric(adminPort, "tapthru_postgres_waiting_requests"),
    ]),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
