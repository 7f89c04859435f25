import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import proxyAddr from "proxy-addr";

/** What a visit needs to know of its request. Fastify's requests have it too. */
export interface VisitRequest {
  method: string;
  /** The path with the query. */
  url: string;
  headers: IncomingHttpHeaders;
  /** The visitor's address. It is computed at each read, and unknown after the client has disconnected. */
  readonly ip: string | undefined;
}

const MAX_REMOTE_ADDRESSES = 1_000;

/** @param trustedProxies as in Fastify's `trustProxy` */
export function createVisitRequests(trustedProxies: string[]) {
  const trust = proxyAddr.compile(trustedProxies);
  const trustedByAddress = new Map<string, boolean>();

  /** Parsing an address would take a fifth of a visit. */
  function isTrusted(remote: string): boolean {
    const known = trustedByAddress.get(remote);
    if (known !== undefined) return known;
    if (trustedByAddress.size >= MAX_REMOTE_ADDRESSES) trustedByAddress.clear();
    const isProxy = trust(remote, 0);
    trustedByAddress.set(remote, isProxy);
    return isProxy;
  }

  return class implements VisitRequest {
    readonly #message: IncomingMessage;
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingHttpHeaders;

    constructor(message: IncomingMessage) {
      this.#message = message;
      this.method = message.method ?? "";
      this.url = message.url ?? "";
      this.headers = message.headers;
    }

    /** The same as Fastify's, without parsing the usual header: one address. */
    get ip(): string | undefined {
      const remote = this.#message.socket.remoteAddress;
      const forwarded = this.headers["x-forwarded-for"];
      if (remote === undefined || !forwarded || forwarded === remote) return remote;
      const isSingle = typeof forwarded === "string" && !/[, ]/.test(forwarded);
      if (!isSingle) return proxyAddr(this.#message, trust);
      return isTrusted(remote) ? forwarded : remote;
    }
  };
}
