import { setTimeout as delay } from "node:timers/promises";
import { atMost, type CheckResult, equals, none, observed } from "../check-result.ts";
import { findUnread } from "../evidence/page-rows.ts";
import { countFailedJobs } from "../evidence/queues.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { productPages } from "../load/creates.ts";
import { underLoad } from "../load/under-load.ts";
import { makeWarmLinks } from "../load/warm-links.ts";
import type { ReplicaName } from "../testbed/testbed.ts";
import { secondsUntil } from "../until.ts";

const REPLICAS: readonly ReplicaName[] = ["redirect-1", "api-1", "worker-1", "redirect-2", "api-2"];
const ROLLING_S = 120;
const CALM_MS = 2_000;
const EXIT_WITHIN_S = 10;

export const rollingRestart: FaultCase = {
  id: "R17",
  title: "Rolling restart",
  mustHold:
    "SIGTERM: 0 failed of 60,000, exit ≤ 10 s, no stalled job; kill -9: 0 failed GET (nginx retries), POST never retried by the gateway",
  done: "1,000 links in memory are visited 480 times a second and 20 links a second are made, all through nginx. For two minutes SIGTERM goes to one replica after the other, and each starts again before the next one's turn: redirect, api (two each) and worker. Then, under the same load, a redirect and an api are killed with -9, twice each.",
  withinMs: 6 * 60_000,
  async run(trial) {
    const visits = await makeWarmLinks(trial, 1_000);
    return [
      ...(await underLoad(trial, visits, { how: "SIGTERM" }, restartInTurn)),
      ...(await underLoad(trial, visits, { how: "kill -9", mayRefuse: true }, killTwice)),
      ...(await judgeJobs(trial)),
    ];
  },
};

async function restartInTurn({ testbed, signal }: Trial): Promise<CheckResult[]> {
  const end = performance.now() + ROLLING_S * 1_000;
  const exits: number[] = [];
  while (performance.now() < end) {
    const name = REPLICAS[exits.length % REPLICAS.length] as ReplicaName;
    const since = performance.now();
    await testbed.processes.end(name, "SIGTERM");
    exits.push((performance.now() - since) / 1_000);
    await testbed.start(name);
    await delay(CALM_MS, undefined, { signal });
  }
  return [
    observed("SIGTERM: replicas restarted", exits.length),
    atMost("SIGTERM: slowest exit", Math.max(...exits), EXIT_WITHIN_S, "s"),
  ];
}

async function killTwice({ testbed, signal }: Trial): Promise<CheckResult[]> {
  for (const name of ["redirect-1", "api-1", "redirect-2", "api-2"] as const) {
    await crash(testbed, name);
    await delay(CALM_MS, undefined, { signal });
    await testbed.start(name);
    await delay(CALM_MS, undefined, { signal });
  }
  return [];
}

async function judgeJobs({ testbed, signal }: Trial): Promise<CheckResult[]> {
  const { databaseUrl, places } = testbed;
  const unread = () => findUnread(databaseUrl, productPages(20));
  await secondsUntil(async () => (await unread()).length === 0, { withinMs: 60_000, signal });
  return [
    none("pages not read in the end", await unread()),
    equals("jobs given up", await countFailedJobs(places.queuePort), 0),
  ];
}
