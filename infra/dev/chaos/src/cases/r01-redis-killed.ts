import { atMost } from "../check-result.ts";
import { secondsUntilRedisServes } from "../evidence/redirect-sources.ts";
import type { FaultCase } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { visitDuringFault } from "../load/visits/visit-during-fault.ts";

const VISITS = { links: 1_000, perSecond: 500, baselineS: 15, maxRatio: 1.5, transitions: 2 };
const OUTAGE_MS = 60_000;

export const redisKilled: FaultCase = {
  id: "R1",
  title: "Redis killed",
  expected:
    "warm: 0 failed of ≥ 30,000, p99 ≤ 1.5x baseline; cached state again ≤ 3 s after the restart, no process restarts",
  procedure:
    "1,000 links in the memory of both replicas are visited 500 times per second through nginx, first for a baseline of 15 s. Then both Redis servers are killed with SIGKILL, are unavailable for 60 s and are started again; the cache is then empty.",
  timeoutMs: 4 * 60_000,
  run: (trial) =>
    visitDuringFault(trial, VISITS, async () => {
      const { testbed, pause } = trial;
      await crash(testbed, "cache Redis", "queue Redis");
      await pause(OUTAGE_MS);
      await testbed.start("cache Redis", "queue Redis");
      const seconds = await secondsUntilRedisServes(trial);
      return [atMost("time until Redis served again after its restart", seconds, 3, "s")];
    }),
};
