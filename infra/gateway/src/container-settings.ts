import { lookup } from "node:dns/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@tapthru/core/platform/logger";

/** @param resolverFile content of /etc/resolv.conf */
export function nameServersIn(resolverFile: string): string[] {
  return [...resolverFile.matchAll(/^nameserver\s+(\S+)/gm)].map(([, address = ""]) => address);
}

const LOOKUPS = 10;
const LOOKUP_PAUSE_MS = 500;

/**
 * Resolves the host of METRICS_ADDRESS. After a restart of the machine gateway-metrics may start a few seconds after the gateway.
 * @param hostAndPort "gateway-metrics:5514"
 * @returns "address:port" for nginx. If the name is unknown, it logs a warning and returns null: the gateway runs
 * without metrics.
 */
export async function metricsAddressOf(
  hostAndPort: string,
  logger: Pick<Logger, "warn">,
  pauseMs = LOOKUP_PAUSE_MS,
): Promise<string | null> {
  const [, host = "", port = ""] = /^(.+):(\d+)$/.exec(hostAndPort) ?? [];
  for (let lookups = 1; ; lookups++) {
    try {
      const { address, family } = await lookup(host);
      return family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
    } catch (err) {
      if (lookups < LOOKUPS) {
        await delay(pauseMs);
        continue;
      }
      logger.warn(
        { event: "gateway_metrics_unavailable", host, err },
        "METRICS_ADDRESS cannot be resolved: requests are not measured",
      );
      return null;
    }
  }
}
