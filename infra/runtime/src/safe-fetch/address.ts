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

function isLoopbackAddress(address: string): boolean {
  return rangeOf(address) === "loopback";
}

/**
 * Whether an IP address is loopback, RFC 1918 or IPv6 unique local; false for link-local, where cloud metadata
 * services are.
 */
function isPrivateAddress(address: string): boolean {
  const range = rangeOf(address);
  return range === "loopback" || range === "private" || range === "uniqueLocal";
}

const URL_PATTERN = /^http:\/\/(?:\[([0-9a-f:.]+)\]|([0-9.]+)):[0-9]{1,5}$/i;

/**
 * The error of an EGRESS_STAND_IN_URL, without the name of the setting; null if it is valid:
 * `http://<address>:<port>`, loopback in local, any private address in demo.
 */
export function standInUrlError(url: string, environment: "local" | "demo"): string | null {
  const [, v6, v4] = URL_PATTERN.exec(url) ?? [];
  const address = v6 ?? v4;
  if (address === undefined || !URL.canParse(url)) return "must look like http://127.0.0.1:9400";
  if (environment === "local" && !isLoopbackAddress(address)) return "must be a loopback address";
  return isPrivateAddress(address) ? null : "must be a private address";
}
