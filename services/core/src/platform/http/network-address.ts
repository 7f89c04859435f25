import ipaddr from "ipaddr.js";

/**
 * Returns an IPv4 address unchanged, and the /64 network of an IPv6 address, because one visitor has all of its
 * addresses.
 */
export function clientNetwork(address: string): string {
  return networkOf(address, { ipv4: 32, ipv6: 64 });
}

/** Returns an IPv4 address unchanged, and the /48 network of an IPv6 address, as much as one customer of a provider may have. */
export function customerNetwork(address: string): string {
  return networkOf(address, { ipv4: 32, ipv6: 48 });
}

/** Returns the /24 or /48 network of an address, of which a site usually has only one or a few. */
export function siteNetwork(address: string): string {
  return networkOf(address, { ipv4: 24, ipv6: 48 });
}

function networkOf(address: string, bits: { ipv4: number; ipv6: number }): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  const kind = parsed.kind();
  const family = kind === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return family.networkAddressFromCIDR(`${parsed.toString()}/${bits[kind]}`).toString();
}
