import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import proxyAddr from "proxy-addr";

/**
 * The visitor's address: what the proxies we trust say, else that of the connection itself. Of an
 * IPv6 address just the network, as one visitor has all of its 2^64 addresses.
 */
export function clientAddress(trustedProxies: readonly string[]) {
  const trust = proxyAddr.compile([...trustedProxies]);
  return (request: IncomingMessage): string => network(proxyAddr(request, trust));
}

function network(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4"
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
