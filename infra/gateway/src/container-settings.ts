import { lookup } from "node:dns/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@tapthru/core/platform/logger";

/** @param resolverFile content of /etc/resolv.conf */
export function nameServersIn(resolverFile: string): string[] {
  return [...resolverFile.matchAll(/^nameserver\s+(\S+)/gm)].map(([, address = ""]) => address);
}

/** Returns true if several gateways serve one site and resume each other's TLS sessions, as the chart says. */
export const sharesTickets = (): boolean => process.argv.includes("--share-tickets");

/**
 * A command that runs the program, and lets it load its configuration again, with "-s reload", after the file has changed.
 * @param seconds between two looks at the file
 */
export function reloadingCommand(program: readonly string[], file: string, seconds = 60): string[] {
  return ["/bin/sh", "-c", RELOAD, "sh", file, String(seconds), ...program];
}
const RELOAD = `file=$1 seconds=$2 seen=$(mktemp)
shift 2
while sleep "$seconds"; do
  if [ "$file" -nt "$seen" ]; then touch -r "$file" "$seen" && "$@" -s reload; fi
done &
exec "$@"`;

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
