import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** All other IPv6 addresses are unassigned, or embed an IPv4 address (`::10.0.0.1`). */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR("2000::/3");

// isIP first: ipaddr.js also accepts hexadecimal, octal and short forms.
const rangeOf = (address: string) => (isIP(address) ? ipaddr.parse(address).range() : null);

export function isPublicAddress(address: string): boolean {
  if (rangeOf(address) !== "unicast") return false;
  const parsed = ipaddr.parse(address);
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_UNICAST_V6);
}

function isLoopbackAddress(address: string): boolean {
  return rangeOf(address) === "loopback";
}

/**
 * Returns true if an IP address is loopback, RFC 1918 or IPv6 unique local; false for link-local, where cloud metadata
 * services are.
 */
function isPrivateAddress(address: string): boolean {
  const range = rangeOf(address);
  return range === "loopback" || range === "private" || range === "uniqueLocal";
}

const URL_PATTERN = /^http:\/\/(?:\[(?<v6>[0-9a-f:.]+)\]|(?<v4>[0-9.]+)|(?<name>[a-z][a-z0-9-]*)):[0-9]{1,5}$/i;

/**
 * The error of an EGRESS_STAND_IN_URL, without the name of the setting; null if it is valid:
 * `http://<address>:<port>`, loopback in local; in demo any private address, or a name without dots, such as that of a
 * container.
 */
export function standInUrlError(url: string, environment: "local" | "demo"): string | null {
  const { v6, v4, name }: Record<string, string | undefined> = URL_PATTERN.exec(url)?.groups ?? {};
  if (environment === "demo" && name !== undefined) return null;
  const address = v6 ?? v4 ?? name;
  if (address === undefined || !URL.canParse(url)) return "must look like http://127.0.0.1:9400";
  if (environment === "local" && !isLoopbackAddress(address)) return "must be a loopback address";
  return isPrivateAddress(address) ? null : "must be a private address";
}
