import { isIPv6 } from "node:net";
import { escaped } from "./fill-template.ts";

/** Names are resolved again after one second, so that a moved service is found quickly. */
export function resolver(nameServers: readonly string[]): string {
  const addresses = nameServers.map((address) => (isIPv6(address) ? `[${address}]` : address));
  return `resolver ${addresses.join(" ")} valid=1s;
resolver_timeout 2s;`;
}

/**
 * The replicas of one service with their connection pool. A replica that fails gets no requests for 2 s, unless it is the only one.
 * @param resolves whether the addresses are names, which nginx resolves again and again
 * @param maxConnections maximum requests in progress at each replica, over all workers of this gateway
 */
export function upstream(
  name: string,
  addresses: readonly string[],
  resolves: boolean,
  maxConnections: number,
): string {
  const options = `${resolves ? "resolve " : ""}max_conns=${maxConnections} fail_timeout=2s`;
  const servers = addresses.map((address) => `  server "${escaped(address)}" ${options};`);
  return `upstream ${name} {
  zone ${name} 256k;
${servers.join("\n")}
  keepalive 512;
  # Shorter than the 75 s of the services: a POST is never retried, so it must not be sent on a connection
  # that the service is closing.
  keepalive_timeout 60s;
}`;
}
