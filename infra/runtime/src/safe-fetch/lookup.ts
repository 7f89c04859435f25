import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";

/** Every address of a host, at least one; rejects when there is none. */
export type Lookup = (host: string) => Promise<LookupAddress[]>;

/**
 * Asks the name servers themselves: `dns.lookup` would add search domains and hold a thread
 * of the small pool for as long as a name server is silent.
 */
export const lookUpAllAddresses: Lookup = async (host) => {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = [...toAddresses(v4, 4), ...toAddresses(v6, 6)];
  if (addresses.length === 0) throw new Error("no address");
  return addresses;
};

function toAddresses(found: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return found.status === "fulfilled" ? found.value.map((address) => ({ address, family })) : [];
}
