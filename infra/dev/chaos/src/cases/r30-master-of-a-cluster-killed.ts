import type { ProcessPlan } from "@tapthru/local/processes/running-process";
import { listLinks } from "@tapthru/proto/http/links";
import { redirectKey } from "@tapthru/proto/redirect/record";
import { createRedisCluster, type TestCluster } from "@tapthru/runtime/testing/redis-cluster";
import { atLeast, atMost, type CheckResult, equals, none } from "../check-result.ts";
import { areProjected } from "../evidence/link-rows.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import {
  createRequest,
  newLinksToCreate,
  productPages,
  readCreateOutcomes,
} from "../load/creates.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { startLoad } from "../load/load.ts";
import { type Owner, signUpOwner } from "../load/owner.ts";
import { visitDuringFault } from "../load/visits/visit-during-fault.ts";
import { codesOf } from "../load/visits/visits.ts";

const VISITS = { links: 1_000, perSecond: 480, baselineS: 15, maxRatio: null, transitions: 6 };
const CREATES_PER_SECOND = 20;
const MAX_DURATION_S = 240;
/** With random codes, each master gets some of these. */
const NEW_LINKS = 30;
const PAUSE_MS = 5_000;
const REPLICAS = ["redirect-1", "redirect-2", "api-1", "api-2", "worker-1"] as const;

export const masterOfAClusterKilled: FaultCase = {
  id: "R30",
  title: "Each master of a Redis Cluster killed",
  expected:
    "0 failed visits of links in memory and 0 failed creates; ≤ 10 s after a kill new links are in the cluster and a user is still logged in",
  procedure:
    "Cache, sessions and jobs are in one Redis Cluster of three masters with a replica each (node timeout 1.5 s). 1,000 links in the memory of both redirects are visited 480 times per second and 20 creates per second are sent, all through nginx. One master after the other is killed with SIGKILL, and started again as a replica when its own replica has replaced it. After each kill 30 links are inserted into Postgres, and a user who logged in before lists their links.",
  timeoutMs: 6 * 60_000,
  async run(trial) {
    const cluster = await createRedisCluster();
    try {
      for (const name of REPLICAS) await trial.testbed.replace(name, connectTo(cluster));
      const owner = await signUpOwner(trial.testbed);
      return await visitDuringFault(trial, VISITS, () =>
        whileCreatingLinks(trial, () => killEachMaster(trial, cluster, owner)),
      );
    } finally {
      await cluster.remove();
    }
  },
};

function connectTo({ url }: TestCluster) {
  const env = { REDIS_CACHE_URL: url, REDIS_SESSION_URL: url, REDIS_QUEUE_URL: url };
  return (plan: ProcessPlan): ProcessPlan => ({ ...plan, env: { ...plan.env, ...env } });
}

async function whileCreatingLinks(
  { testbed, signal }: Trial,
  work: () => Promise<CheckResult[]>,
): Promise<CheckResult[]> {
  const total = CREATES_PER_SECOND * MAX_DURATION_S;
  const creates = newLinksToCreate(total, productPages(20));
  const requests = creates.map(createRequest);
  const plan = { origin: testbed.url, perSecond: CREATES_PER_SECOND, requests, total };
  const load = startLoad(plan, signal);
  const results = await work();
  load.stop();
  const outcomes = readCreateOutcomes(creates, await load.done);
  return [
    atLeast("links created", outcomes.created.size, CREATES_PER_SECOND),
    none("creates refused or with a wrong response", [
      ...outcomes.refused.map((status) => `status ${status}`),
      ...outcomes.wrong,
    ]),
    equals("creates without a response", outcomes.withoutResponse, 0),
    ...results,
  ];
}

async function killEachMaster(
  trial: Trial,
  cluster: TestCluster,
  owner: Owner,
): Promise<CheckResult[]> {
  const { databaseUrl } = trial.testbed;
  const keys = ["{jobs}", ...newCodes(NEW_LINKS).map(redirectKey)];
  const masters = await Promise.all(keys.map(cluster.masterOf));
  const keyByMaster = new Map(masters.map((master, index) => [master, keys[index] as string]));
  const times = { replaced: 0, projected: 0, loggedIn: 0 };
  for (const [master, key] of keyByMaster) {
    await master.kill();
    const inserted = codesOf(
      await insertLinks(databaseUrl, newCodes(NEW_LINKS), { addToOutbox: true }),
    );
    const hasMaster = () => succeeds(cluster.masterOf(key));
    const isLoggedIn = async () => (await owner.request("GET", listLinks.path)).status === 200;
    const [replaced, projected, loggedIn] = await Promise.all([
      trial.secondsUntil(hasMaster, 30_000),
      trial.secondsUntil(() => areProjected(databaseUrl, inserted), 30_000),
      trial.secondsUntil(isLoggedIn, 30_000),
    ]);
    times.replaced = Math.max(times.replaced, replaced);
    times.projected = Math.max(times.projected, projected);
    times.loggedIn = Math.max(times.loggedIn, loggedIn);
    await master.start();
    await cluster.untilHealthy();
    await trial.pause(PAUSE_MS);
  }
  return [
    equals("masters killed", keyByMaster.size, 3),
    atMost("slowest replacement of a master", times.replaced, 10, "s"),
    atMost("slowest time until new links were in the cluster", times.projected, 10, "s"),
    atMost("slowest time until a user could list their links", times.loggedIn, 10, "s"),
  ];
}

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );
