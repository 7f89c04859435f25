import { isIPv6 } from "node:net";
import type { Discovery } from "../settings.ts";
import { escaped } from "./fill-template.ts";

/** Names are resolved again after one second, so that a moved service is found quickly. */
export function resolver({ nameServers }: Discovery): string {
  const addresses = nameServers.map((address) => (isIPv6(address) ? `[${address}]` : address));
  return `resolver ${addresses.join(" ")} valid=1s;
resolver_timeout 2s;`;
}

/**
 * The replicas of one service with their connection pool. An nginx before 1.27.3 resolves a name again only in a
 * variable; it then opens a connection for each request and has no limit.
 * A replica that fails gets no requests for 2 s, unless it is the only one.
 * @param maxConnections maximum requests in progress at each replica, over all workers of this gateway
 * @throws RangeError for several names if this nginx needs a variable
 */
export function upstream(
  name: string,
  addresses: readonly string[],
  discovery: Discovery | null,
  maxConnections: number | null = null,
): string {
  if (usesVariable(discovery)) {
    const [address, ...others] = addresses;
    if (address === undefined || others.length > 0) {
      throw new RangeError(`This nginx can resolve one name for ${name}, got ${addresses.length}.`);
    }
    return `map "" $${name}_service {
  default "${escaped(address)}";
}`;
  }
  const limit = maxConnections === null ? "" : `max_conns=${maxConnections} `;
  const resolve = discovery === null ? "" : "resolve ";
  const servers = addresses.map((address) => `  server "${escaped(address)}" ${resolve}${limit}fail_timeout=2s;`);
  return `upstream ${name} {
  zone ${name} 256k;
${servers.join("\n")}
  keepalive 512;
  # Shorter than the 75 s of the services: a POST is never retried, so it must not be sent on a connection
  # that the service is closing.
  keepalive_timeout 60s;
}`;
}

/** The URL of the service for proxy_pass, without a path. */
export function addressOf(name: string, discovery: Discovery | null): string {
  return usesVariable(discovery) ? `http://$${name}_service` : `http://${name}`;
}

function usesVariable(discovery: Discovery | null): boolean {
  return discovery !== null && !discovery.inUpstreams;
}
