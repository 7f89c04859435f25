import { join } from "node:path";
import type { Stack } from "./processes/stack.ts";
import { respondsOverHttp } from "./stack/http-health.ts";
import { CHECKOUT, type Settings } from "./stack/settings.ts";

/** Starts the process that turns the gateway's log into metrics. */
export async function startGatewayMetrics(settings: Settings, stack: Stack): Promise<void> {
  const { ports, logsDir } = settings;
  await stack.start(
    {
      name: "gateway-metrics",
      command: process.execPath,
      args: [join(CHECKOUT, "infra", "gateway", "src", "metrics", "main.ts")],
      cwd: CHECKOUT,
      logFile: join(logsDir, "gateway-metrics.log"),
      isOptional: true,
      env: {
        PATH: process.env.PATH,
        HOST: "127.0.0.1",
        SYSLOG_PORT: String(ports.GATEWAY_SYSLOG_PORT),
        ADMIN_PORT: String(ports.GATEWAY_ADMIN_PORT),
      },
    },
    () => respondsOverHttp(`http://127.0.0.1:${ports.GATEWAY_ADMIN_PORT}/readyz`, 200),
  );
}
