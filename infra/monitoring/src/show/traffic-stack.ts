import { join } from "node:path";
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

function prometheusPlan({ dataDir, logsDir, ports }: Settings): PrometheusPlan {
  return {
    folder: join(dataDir, "prometheus"),
    logFile: join(logsDir, "prometheus.log"),
    targets: {
      "tapthru-api": [ports.API_ADMIN_PORT],
      "tapthru-redirect": [ports.REDIRECT_ADMIN_PORT],
      "tapthru-worker": [ports.WORKER_ADMIN_PORT],
      "tapthru-gateway-metrics": [ports.GATEWAY_ADMIN_PORT],
    },
    intervalS: 1,
  };
}
