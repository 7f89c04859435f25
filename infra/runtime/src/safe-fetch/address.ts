import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** All other IPv6 addresses are unassigned, or embed an IPv4 address (`::10.0.0.1`). */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR("2000::/3");

// isIP first: ipaddr.js also accepts hexadecimal, octal and short forms.
const rangeOf = (address: string) => (isIP(address) ? ipaddr.parse(address).range() : null);

/** Whether an IP address, in its usual notation, is public. */
export function isPublicAddress(address: string): boolean {
  if (rangeOf(address) !== "unicast") return false;
  const parsed = ipaddr.parse(address);
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_UNICAST_V6);
}

export function isLoopbackAddress(address: string): boolean {
  return rangeOf(address) === "loopback";
}

/**
 * Whether an IP address is loopback, RFC 1918 or IPv6 unique local; false for link-local, where cloud metadata
 * services are.
 */
export function isPrivateAddress(address: string): boolean {
  const range = rangeOf(address);
  return range === "loopback" || range === "private" || range === "uniqueLocal";
}
