import { isIPv6 } from "node:net";
import { indented, nginxArgument } from "./nginx-text.ts";
import type { Discovery } from "./settings.ts";

/** For the http block: names are looked up again after so short a time that nobody waits for them. */
export function resolver({ nameServers }: Discovery): string {
  const addresses = nameServers.map((address) => (isIPv6(address) ? `[${address}]` : address));
  return `resolver ${addresses.join(" ")} valid=1s;
  resolver_timeout 2s;`;
}

/**
 * The replicas of one service, and how connections to them are kept. An nginx before 1.27.3 looks a name
 * up again only where it stands in a variable; it opens a connection for each request then, and has no limit.
 * @param maxConnections requests in progress at each replica, counted by all workers of this gateway
 * @throws RangeError for several names where a variable must hold them
 */
export function upstream(
  name: string,
  addresses: readonly string[],
  discovery: Discovery | null,
  maxConnections: number | null = null,
): string {
  if (isInVariable(discovery)) {
    const [address, ...others] = addresses;
    if (address === undefined || others.length > 0) {
      throw new RangeError(`This nginx can follow one name of ${name}, not ${addresses.length}.`);
    }
    return `
map "" $${name}_service {
  default ${nginxArgument(address)};
}`;
  }
  const limit = maxConnections === null ? "" : `max_conns=${maxConnections} `;
  const resolve = discovery === null ? "" : "resolve ";
  const servers = addresses.map(
    (address) => `server ${nginxArgument(address)} ${resolve}${limit}fail_timeout=2s;`,
  );
  return `
upstream ${name} {
  zone ${name} 256k;
  ${indented(1, servers.join("\n"))}
  keepalive 64;
  # Shorter than the 75 s of the services: a POST, which is never repeated, must not meet a connection
  # that its service is just closing.
  keepalive_timeout 60s;
}`;
}

/** The service as proxy_pass names it, without a path. */
export function addressOf(name: string, discovery: Discovery | null): string {
  return isInVariable(discovery) ? `http://$${name}_service` : `http://${name}`;
}

function isInVariable(discovery: Discovery | null): boolean {
  return discovery !== null && !discovery.inUpstreams;
}
