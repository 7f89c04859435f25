import { atMost, type CheckResult, equals, none, observed } from "../check-result.ts";
import { findUnfetched } from "../evidence/page-rows.ts";
import { countFailedJobs } from "../evidence/queues.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { productPages } from "../load/creates.ts";
import { underLoad } from "../load/under-load.ts";
import { insertWarmLinks } from "../load/visits/warm-links.ts";
import type { ReplicaName } from "../testbed/testbed-config.ts";

const REPLICAS: readonly ReplicaName[] = ["redirect-1", "api-1", "worker-1", "redirect-2", "api-2"];
const ROLLING_S = 120;
const PAUSE_MS = 2_000;
const MAX_EXIT_S = 10;

export const rollingRestart: FaultCase = {
  id: "R17",
  title: "Rolling restart",
  expected:
    "SIGTERM: 0 failed of 60,000, exit ≤ 10 s, no stalled job; kill -9: 0 failed GET (nginx retries), POST never retried by the gateway",
  procedure:
    "1,000 links in memory are visited 480 times per second and 20 creates per second are sent, all through nginx. For two minutes, one replica after the other gets SIGTERM and is started again before the next one: redirect and api (two replicas each) and worker. Then, under the same load, each replica of redirect and api is killed with SIGKILL once.",
  timeoutMs: 6 * 60_000,
  async run(trial) {
    const visits = await insertWarmLinks(trial, 1_000);
    return [
      ...(await underLoad(trial, visits, { label: "SIGTERM" }, restartInTurn)),
      ...(await underLoad(trial, visits, { label: "kill -9", mayRefuse: true }, killTwice)),
      ...(await checkJobs(trial)),
    ];
  },
};

async function restartInTurn({ testbed, pause }: Trial): Promise<CheckResult[]> {
  const end = performance.now() + ROLLING_S * 1_000;
  const exitSeconds: number[] = [];
  while (performance.now() < end) {
    const name = REPLICAS[exitSeconds.length % REPLICAS.length] as ReplicaName;
    const since = performance.now();
    await testbed.processes.end(name, "SIGTERM");
    exitSeconds.push((performance.now() - since) / 1_000);
    await testbed.start(name);
    await pause(PAUSE_MS);
  }
  return [
    observed("SIGTERM: replicas restarted", exitSeconds.length),
    atMost("SIGTERM: slowest exit", Math.max(...exitSeconds), MAX_EXIT_S, "s"),
  ];
}

async function killTwice({ testbed, pause }: Trial): Promise<CheckResult[]> {
  for (const name of ["redirect-1", "api-1", "redirect-2", "api-2"] as const) {
    await crash(testbed, name);
    await pause(PAUSE_MS);
    await testbed.start(name);
    await pause(PAUSE_MS);
  }
  return [];
}

async function checkJobs({ testbed, secondsUntil }: Trial): Promise<CheckResult[]> {
  const { databaseUrl, config } = testbed;
  const unfetched = () => findUnfetched(databaseUrl, productPages(20));
  await secondsUntil(async () => (await unfetched()).length === 0, 60_000);
  return [
    none("pages not fetched at the end", await unfetched()),
    equals("failed jobs", await countFailedJobs(config.queuePort), 0),
  ];
}
