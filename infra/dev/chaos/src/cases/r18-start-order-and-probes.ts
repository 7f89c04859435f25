import { atMost, type CheckResult, equals, none, observed } from "../check-result.ts";
import { probe } from "../evidence/probes.ts";
import { sampleWhile } from "../evidence/sampling.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { whileFrozen } from "../injectors/freeze.ts";
import type { Testbed } from "../testbed/testbed.ts";
import { adminPort } from "../testbed/testbed-config.ts";

const SERVICES = ["redirect-1", "api-1", "worker-1"] as const;
const DEPENDENCIES = ["Postgres", "cache Redis", "queue Redis"] as const;

export const startOrderAndProbes: FaultCase = {
  id: "R18",
  title: "Start order and probes",
  expected:
    "no exit, /livez 200 always, ready ≤ 3 s after; redirect's /readyz stays 200 when Redis or Postgres becomes unavailable later; liveness never checks a dependency",
  procedure:
    "Redirect, api and worker start while Postgres and both Redis servers are unavailable, for 60 s; no service depends on another one. Then all dependencies start. Later both Redis servers are killed for 10 s, then Postgres is killed for 10 s, then all three are stopped with SIGSTOP for 10 s.",
  timeoutMs: 5 * 60_000,
  run: (trial) => stopDependencies(trial, { startOutageMs: 60_000, outageMs: 10_000 }),
};

interface Size {
  /** Duration of the outage while the services start. */
  startOutageMs: number;
  /** Duration of each later outage. */
  outageMs: number;
}

export async function stopDependencies(trial: Trial, size: Size): Promise<CheckResult[]> {
  const { testbed, log } = trial;
  await crash(testbed, "redirect-2", "api-2", ...SERVICES, ...DEPENDENCIES);
  log("starting the services without dependencies");
  const starting = await startWithoutDependencies(trial, size);
  log("stopping Redis and Postgres again");
  return [...starting, ...(await stopDependenciesLater(trial, size))];
}

async function startWithoutDependencies(
  { testbed, secondsUntil, pause }: Trial,
  { startOutageMs }: Size,
): Promise<CheckResult[]> {
  const readyAt = Promise.all(
    SERVICES.map((name) => testbed.start(name).then(() => performance.now())),
  );
  const live = async () => (await probeAll(testbed)).every(({ livez }) => livez === 200);
  async function watchStart() {
    const secondsUntilLive = await secondsUntil(live, 20_000);
    const pids = SERVICES.map((name) => testbed.processes.pid(name));
    const [samples, dependenciesStartedAt] = await sampleWhile(
      () => probeAll(testbed),
      async () => {
        await pause(startOutageMs);
        await testbed.start(...DEPENDENCIES);
        const startedAt = performance.now();
        await readyAt;
        return startedAt;
      },
    );
    return { secondsUntilLive, pids, samples, dependenciesStartedAt };
  }
  const [ready, { secondsUntilLive, pids, samples, dependenciesStartedAt }] = await Promise.all([
    readyAt,
    watchStart(),
  ]);
  const readyTooEarly = samples[0]?.filter(({ readyz }) => readyz === 200) ?? [];
  return [
    atMost("time until every service was live", secondsUntilLive, 20, "s"),
    ...checkLiveness("at start", samples),
    none(
      "services that were ready without dependencies",
      readyTooEarly.map(({ name }) => name),
    ),
    ...SERVICES.map((name, index) => {
      const seconds = Math.max(0, ((ready[index] ?? Number.NaN) - dependenciesStartedAt) / 1_000);
      return atMost(`${name}: time until ready after the dependencies started`, seconds, 3, "s");
    }),
    none(
      "services that restarted",
      SERVICES.filter((name, index) => testbed.processes.pid(name) !== pids[index]),
    ),
  ];
}

async function stopDependenciesLater(
  { testbed, pause }: Trial,
  { outageMs }: Size,
): Promise<CheckResult[]> {
  const outage = () => pause(outageMs);
  const [samples] = await sampleWhile(
    () => probeAll(testbed),
    async () => {
      for (const stopped of [["cache Redis", "queue Redis"], ["Postgres"]] as const) {
        await crash(testbed, ...stopped);
        await outage();
        await testbed.start(...stopped);
      }
      await whileFrozen(testbed, DEPENDENCIES, outage);
    },
  );
  const unready = samples
    .flat()
    .filter(({ name, readyz }) => name === "redirect-1" && readyz !== 200);
  return [
    ...checkLiveness("later", samples),
    equals("redirect-1: failed readiness probes", unready.length, 0),
  ];
}

interface Sample {
  name: string;
  livez: number | null;
  readyz: number | null;
}

function probeAll({ config }: Testbed): Promise<Sample[]> {
  return Promise.all(
    SERVICES.map(async (name) => {
      const port = adminPort(config, name);
      const [livez, readyz] = await Promise.all([probe(port, "livez"), probe(port, "readyz")]);
      return { name, livez, readyz };
    }),
  );
}

function checkLiveness(when: string, samples: readonly Sample[][]): CheckResult[] {
  const notLive = samples.flat().filter(({ livez }) => livez !== 200);
  return [
    observed(`${when}: liveness probes per service`, samples.length),
    none(
      `${when}: responses other than 200`,
      notLive.map(({ name, livez }) => `${name} ${livez}`),
    ),
  ];
}
