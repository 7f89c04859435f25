import type { ProcessPlan } from "@tapthru/local/processes/running-process";
import { listLinks } from "@tapthru/proto/http/links";
import { redirectKey } from "@tapthru/proto/redirect/record";
import { createRedisCluster, type TestCluster } from "@tapthru/runtime/testing/redis-cluster";
import { atMost, type CheckResult, equals } from "../check-result.ts";
import { isOutboxProjected } from "../evidence/link-rows.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { type Owner, signUpOwner } from "../load/owner.ts";
import { underLoad } from "../load/under-load.ts";
import { codesOf } from "../load/visits/visits.ts";
import { insertWarmLinks } from "../load/visits/warm-links.ts";

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
      const visits = await insertWarmLinks(trial, 1_000);
      return await underLoad(trial, visits, { label: "kill -9" }, () =>
        killEachMaster(trial, cluster, owner),
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
      trial.secondsUntil(() => isOutboxProjected(databaseUrl, inserted), 30_000),
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
