import type { IncomingMessage } from "node:http";
import proxyAddr from "proxy-addr";

/** The visitor's address: what the proxies we trust say, else that of the connection itself. */
export function clientAddress(trustedProxies: readonly string[]) {
  const trust = proxyAddr.compile([...trustedProxies]);
  return (request: IncomingMessage): string => proxyAddr(request, trust);
}
