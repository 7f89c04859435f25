import type { IncomingMessage } from "node:http";
import { networkOf } from "@tapthru/runtime/network-address";
import proxyAddr from "proxy-addr";

/** The visitor's network: what the proxies we trust say, else that of the connection itself. */
export function clientAddress(trustedProxies: readonly string[]) {
  const trust = proxyAddr.compile([...trustedProxies]);
  return (request: IncomingMessage): string => networkOf(proxyAddr(request, trust));
}
