import { setTimeout as delay } from "node:timers/promises";
import { atMost, type CheckResult, equals, none, observed } from "../check-result.ts";
import { probe } from "../evidence/probes.ts";
import { sampleWhile } from "../evidence/sampling.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { freeze, thaw } from "../injectors/freeze.ts";
import { freezePostgres, thawPostgres } from "../injectors/freeze-postgres.ts";
import type { Testbed } from "../testbed/testbed.ts";
import { secondsUntil } from "../until.ts";

const SERVICES = ["redirect-1", "api-1", "worker-1"] as const;
const DEPENDENCIES = ["Postgres", "cache Redis", "queue Redis"] as const;

export const orderAndProbes: FaultCase = {
  id: "R18",
  title: "Order and probes",
  mustHold:
    "no exit, /livez 200 always, ready ≤ 3 s after; redirect's /readyz stays 200 when Redis or Postgres is away later; liveness never asks a dependency",
  done: "Redirect, api and worker start while Postgres and both Redis are absent, for 60 s; no service knows another one. Then all come up. Later both Redis are killed for 10 s, then Postgres, then all three are frozen for 10 s.",
  withinMs: 5 * 60_000,
  run: (trial) => takeDependenciesAway(trial, { absentMs: 60_000, awayMs: 10_000 }),
};

interface Size {
  /** At the services' start. */
  absentMs: number;
  /** Later. */
  awayMs: number;
}

export async function takeDependenciesAway(trial: Trial, size: Size): Promise<CheckResult[]> {
  const { testbed, say } = trial;
  for (const name of ["redirect-2", "api-2", ...SERVICES, ...DEPENDENCIES] as const) {
    await crash(testbed, name);
  }
  say("starting the services with everything else absent");
  const starting = await startIntoNothing(trial, size);
  say("taking Redis and Postgres away again");
  return [...starting, ...(await takeAwayLater(trial, size))];
}

async function startIntoNothing(
  { testbed, signal }: Trial,
  { absentMs }: Size,
): Promise<CheckResult[]> {
  const readyAt = SERVICES.map((name) => testbed.start(name).then(() => performance.now()));
  const live = async () => (await probeAll(testbed)).every(({ livez }) => livez === 200);
  const untilAlive = await secondsUntil(live, { withinMs: 20_000, signal });
  const pids = SERVICES.map((name) => testbed.processes.pid(name));
  const [samples, [upAt, ready]] = await sampleWhile(
    () => probeAll(testbed),
    async () => {
      await delay(absentMs, undefined, { signal });
      await Promise.all(DEPENDENCIES.map(testbed.start));
      return [performance.now(), await Promise.all(readyAt)] as const;
    },
  );
  const early = samples[0]?.filter(({ readyz }) => readyz === 200) ?? [];
  return [
    atMost("until each said that it lives", untilAlive, 20, "s"),
    ...judgeLiveness("at first", samples),
    none(
      "ready while nothing was there",
      early.map(({ name }) => name),
    ),
    ...SERVICES.map((name, index) => {
      const seconds = Math.max(0, ((ready[index] ?? Number.NaN) - upAt) / 1_000);
      return atMost(`${name}: ready after everything else was there`, seconds, 3, "s");
    }),
    none(
      "services that did not live on",
      SERVICES.filter((name, index) => testbed.processes.pid(name) !== pids[index]),
    ),
  ];
}

async function takeAwayLater({ testbed, signal }: Trial, { awayMs }: Size): Promise<CheckResult[]> {
  const away = () => delay(awayMs, undefined, { signal });
  const [samples] = await sampleWhile(
    () => probeAll(testbed),
    async () => {
      for (const gone of [["cache Redis", "queue Redis"], ["Postgres"]] as const) {
        await Promise.all(gone.map((name) => crash(testbed, name)));
        await away();
        await Promise.all(gone.map(testbed.start));
      }
      freeze(testbed, "cache Redis");
      freeze(testbed, "queue Redis");
      freezePostgres(testbed);
      try {
        await away();
      } finally {
        thawPostgres(testbed);
        thaw(testbed, "cache Redis");
        thaw(testbed, "queue Redis");
      }
    },
  );
  const unready = samples
    .flat()
    .filter(({ name, readyz }) => name === "redirect-1" && readyz !== 200);
  return [
    ...judgeLiveness("later", samples),
    equals("redirect-1: times it was not ready", unready.length, 0),
  ];
}

interface Sample {
  name: string;
  livez: number | null;
  readyz: number | null;
}

function probeAll({ places }: Testbed): Promise<Sample[]> {
  const { ports } = places.first;
  const adminPorts = {
    "redirect-1": ports.REDIRECT_ADMIN_PORT,
    "api-1": ports.API_ADMIN_PORT,
    "worker-1": ports.WORKER_ADMIN_PORT,
  };
  return Promise.all(
    SERVICES.map(async (name) => {
      const port = adminPorts[name];
      const [livez, readyz] = await Promise.all([probe(port, "livez"), probe(port, "readyz")]);
      return { name, livez, readyz };
    }),
  );
}

function judgeLiveness(when: string, samples: readonly Sample[][]): CheckResult[] {
  const dead = samples.flat().filter(({ livez }) => livez !== 200);
  return [
    observed(`${when}: times each was asked whether it lives`, samples.length),
    none(
      `${when}: answers other than 200`,
      dead.map(({ name, livez }) => `${name} ${livez}`),
    ),
  ];
}
