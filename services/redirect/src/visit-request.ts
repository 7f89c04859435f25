import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import proxyAddr from "proxy-addr";

/** What a visit needs to know of its request. Fastify's requests have it too. */
export interface VisitRequest {
  raw: { readonly socket: Pick<Socket, "remoteAddress"> };
  method: string;
  /** The path with the query. */
  url: string;
  headers: IncomingHttpHeaders;
  /** The visitor's address. It is computed at each read, and unknown after the client has disconnected. */
  readonly ip: string;
}

/** @param trustedProxies as in Fastify's `trustProxy` */
export function createVisitRequests(trustedProxies: string[]) {
  const trust = proxyAddr.compile(trustedProxies);
  return class implements VisitRequest {
    readonly raw: IncomingMessage;
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingHttpHeaders;

    constructor(raw: IncomingMessage) {
      this.raw = raw;
      this.method = raw.method ?? "";
      this.url = raw.url ?? "";
      this.headers = raw.headers;
    }

    get ip(): string {
      return proxyAddr(this.raw, trust);
    }
  };
}
