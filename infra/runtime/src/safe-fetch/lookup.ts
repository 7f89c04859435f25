import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";

/** All addresses of a host; rejects if there is none. */
export type Lookup = (host: string) => Promise<LookupAddress[]>;

/**
 * Queries the name servers directly: `dns.lookup` would try search domains, and would block a thread of a small pool
 * while a name server does not respond.
 * @param nameServers `address:port` each; the system's by default
 */
export async function resolveAllAddresses(
  host: string,
  nameServers?: readonly string[],
): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
  if (addresses.length === 0) throw new Error("no address");
  return addresses;
}

function addressesOf(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === "fulfilled" ? result.value.map((address) => ({ address, family })) : [];
}
