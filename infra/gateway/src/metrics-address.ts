import { lookup } from "node:dns/promises";
import type { Logger } from "@tapthru/runtime/logger";

/**
 * Resolves the host of METRICS_ADDRESS. gateway-metrics receives over IPv4 only.
 * @param hostAndPort "gateway-metrics:5514"
 * @returns "address:port" for nginx. If the name is unknown, it logs a warning and returns null: the gateway runs
 * without metrics.
 */
export async function metricsAddressOf(
  hostAndPort: string,
  logger: Pick<Logger, "warn">,
): Promise<string | null> {
  const [, host = "", port = ""] = /^(.+):(\d+)$/.exec(hostAndPort) ?? [];
  try {
    const { address } = await lookup(host, { family: 4 });
    return `${address}:${port}`;
  } catch (err) {
    logger.warn(
      { event: "gateway_metrics_unavailable", host, err },
      "METRICS_ADDRESS cannot be resolved: requests are not measured",
    );
    return null;
  }
}
