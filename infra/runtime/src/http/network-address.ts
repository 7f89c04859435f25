import ipaddr from "ipaddr.js";

/**
 * Returns an IPv4 address unchanged, and the /64 network of an IPv6 address, because one visitor has all of its
 * addresses.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4"
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
