import { setTimeout as delay } from "node:timers/promises";
import { readPassedOn } from "../evidence/access-log.ts";
import { findUnread } from "../evidence/page-rows.ts";
import { countFailedJobs } from "../evidence/queues.ts";
import { atMost, exactly, type Finding, none, told } from "../finding.ts";
import { crash } from "../injectors/crash.ts";
import { createRequest, makeCreates, productPages, readCreates } from "../load/creates.ts";
import { startLoad } from "../load/load.ts";
import { visitWhile } from "../load/visiting.ts";
import { type Visit, visitFailures } from "../load/visits.ts";
import { makeWarmLinks } from "../load/warm-links.ts";
import type { Row, Trial } from "../row.ts";
import type { ReplicaName } from "../testbed/testbed.ts";
import { secondsUntil } from "../until.ts";

const REPLICAS: readonly ReplicaName[] = ["redirect-1", "api-1", "worker-1", "redirect-2", "api-2"];
const VISITS_PER_SECOND = 480;
const CREATES_PER_SECOND = 20;
const ROLLING_S = 120;
const CALM_MS = 2_000;
const EXIT_WITHIN_S = 10;

export const rollingRestart: Row = {
  id: "R17",
  title: "Rolling restart",
  mustHold:
    "SIGTERM: 0 failed of 60,000, exit ≤ 10 s, no stalled job; kill -9: 0 failed GET (nginx retries), POST never retried by the gateway",
  done: "1,000 links in memory are visited 480 times a second and 20 links a second are made, all through nginx. For two minutes SIGTERM goes to one replica after the other, and each starts again before the next one's turn: redirect, api (two each) and worker. Then, under the same load, a redirect and an api are killed with -9, twice each.",
  withinMs: 6 * 60_000,
  async run(trial) {
    const visits = await makeWarmLinks(trial, 1_000);
    return [
      ...(await underLoad(trial, visits, "SIGTERM", restartInTurn)),
      ...(await underLoad(trial, visits, "kill -9", killTwice)),
      ...(await judgeJobs(trial)),
    ];
  },
};

async function underLoad(
  trial: Trial,
  visits: readonly Visit[],
  how: "SIGTERM" | "kill -9",
  work: (trial: Trial) => Promise<Finding[]>,
): Promise<Finding[]> {
  const { testbed, signal, say } = trial;
  const { url: origin, places } = testbed;
  say(`making and visiting links under ${how}`);
  const creates = makeCreates(CREATES_PER_SECOND * ROLLING_S * 2, productPages(20));
  const requests = creates.map(createRequest);
  const before = await readPassedOn(places.first.logsDir, "POST");
  const creating = startLoad(
    { origin, perSecond: CREATES_PER_SECOND, requests, repeats: false },
    signal,
  );
  const visiting = { visits, perSecond: VISITS_PER_SECOND };
  const [visited, findings] = await visitWhile(trial, visiting, () => work(trial));
  creating.stop();
  const created = readCreates(creates, await creating.done);
  const passedOn = await readPassedOn(places.first.logsDir, "POST");
  const refused = [
    ...created.refused.map((status) => `status ${status}`),
    ...Array.from({ length: created.unanswered }, () => "no answer"),
  ];
  return [
    told(`${how}: visits and creates`, `${visited.length}, ${created.made.size + refused.length}`),
    none(`${how}: visits failed`, visitFailures(visits, visited)),
    none(`${how}: creates with a wrong answer`, created.wrong),
    how === "SIGTERM"
      ? none("SIGTERM: creates failed", refused)
      : told("kill -9: creates refused or not answered", refused.length),
    told(`${how}: creates that a replica refused to take`, passedOn.all - before.all),
    none(`${how}: creates repeated by nginx`, passedOn.repeated.slice(before.repeated.length)),
    ...findings,
  ];
}

async function restartInTurn({ testbed, signal }: Trial): Promise<Finding[]> {
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
    told("SIGTERM: replicas restarted", exits.length),
    atMost("SIGTERM: slowest exit", Math.max(...exits), EXIT_WITHIN_S, "s"),
  ];
}

async function killTwice({ testbed, signal }: Trial): Promise<Finding[]> {
  for (const name of ["redirect-1", "api-1", "redirect-2", "api-2"] as const) {
    await crash(testbed, name);
    await delay(CALM_MS, undefined, { signal });
    await testbed.start(name);
    await delay(CALM_MS, undefined, { signal });
  }
  return [];
}

async function judgeJobs({ testbed, signal }: Trial): Promise<Finding[]> {
  const { databaseUrl, places } = testbed;
  const unread = () => findUnread(databaseUrl, productPages(20));
  await secondsUntil(async () => (await unread()).length === 0, { withinMs: 60_000, signal });
  return [
    none("pages not read in the end", await unread()),
    exactly("jobs given up", await countFailedJobs(places.queuePort), 0),
  ];
}
