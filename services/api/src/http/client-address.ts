import type { IncomingMessage } from "node:http";
import { clientNetwork } from "@tapthru/runtime/http/network-address";
import proxyAddr from "proxy-addr";

/** Returns the network of the client, from the headers of trusted proxies or the connection itself. */
export function clientAddress(trustedProxies: readonly string[]) {
  const trust = proxyAddr.compile([...trustedProxies]);
  return (request: IncomingMessage): string => clientNetwork(proxyAddr(request, trust));
}
