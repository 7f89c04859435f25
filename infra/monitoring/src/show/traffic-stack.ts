import { join } from "node:path";
import { redirectReplicasOf } from "@tapthru/local/stack/redirect-replicas";
import type { Settings } from "@tapthru/local/stack/settings";
import { withTestStack } from "@tapthru/local/stack/test-stack";
import { type Prometheus, type PrometheusPlan, startPrometheus } from "./prometheus.ts";
import { sendTraffic } from "./traffic.ts";

/** Runs `work` on a new stack with constant traffic and a Prometheus that scrapes it. */
export function withTrafficStack<Result>(
  signal: AbortSignal,
  work: (prometheus: Prometheus) => Promise<Result>,
): Promise<Result> {
  return withTestStack(signal, async ({ baseUrl, settings, stack }) => {
    const prometheus = await startPrometheus(prometheusPlan(settings), stack);
    const finished = new AbortController();
    const traffic = sendTraffic(baseUrl, AbortSignal.any([finished.signal, signal]));
    const endedEarly = traffic.then(() => {
      throw new Error("The traffic ended early");
    });
    try {
      return await Promise.race([work(prometheus), endedEarly]);
    } finally {
      finished.abort();
      await traffic;
    }
  });
}

function prometheusPlan(settings: Settings): PrometheusPlan {
  const { dataDir, logsDir, ports } = settings;
  return {
    folder: join(dataDir, "prometheus"),
    logFile: join(logsDir, "prometheus.log"),
    targets: {
      "tapthru-api": [ports.API_ADMIN_PORT],
      "tapthru-redirect": redirectReplicasOf(settings).map(({ adminPort }) => adminPort),
      "tapthru-worker": [ports.WORKER_ADMIN_PORT],
      "tapthru-gateway-metrics": [ports.GATEWAY_ADMIN_PORT],
    },
    intervalS: 1,
  };
}
