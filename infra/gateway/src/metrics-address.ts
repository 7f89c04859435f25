import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";
import type { Logger } from "@tapthru/runtime/logger";

/**
 * @param hostAndPort "gateway-metrics:5514"
 * @returns the same with an IP address for nginx; null, with a record in the log, where the name is unknown:
 * visitors are served without metrics, too
 */
export async function metricsAddressOf(
  hostAndPort: string,
  logger: Pick<Logger, "warn">,
): Promise<string | null> {
  const [, host = "", port = ""] = /^(.+):(\d+)$/.exec(hostAndPort) ?? [];
  try {
    const { address } = await lookup(host);
    return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
  } catch (err) {
    logger.warn(
      { event: "gateway_metrics_unavailable", host, err },
      "METRICS_ADDRESS cannot be resolved: requests are not measured",
    );
    return null;
  }
}
