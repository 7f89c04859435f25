import type { IncomingMessage } from "node:http";
import { clientNetwork } from "@tapthru/runtime/http/network-address";
import proxyAddr from "proxy-addr";

/** The visitor's network: what the proxies we trust say, else that of the connection itself. */
export function clientAddress(trustedProxies: readonly string[]) {
  const trust = proxyAddr.compile([...trustedProxies]);
  return (request: IncomingMessage): string => clientNetwork(proxyAddr(request, trust));
}
