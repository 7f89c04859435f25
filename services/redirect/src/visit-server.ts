import { createServer, type RequestListener, type Server } from "node:http";
import { SHORT_CODE_PATTERN } from "@tapthru/proto/redirect/short-code";
import { SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import { HTTP_SERVER_OPTIONS } from "@tapthru/runtime/http/http-server";
import type { VisitLink } from "./visit-link.ts";
import { createVisitRequests } from "./visit-request.ts";

/**
 * A server that passes visits of usual addresses to `visitLink`, and everything else to Fastify. Fastify's router, hooks and
 * objects of a request would take a tenth of a visit.
 */
export function createVisitServer(
  { visitLink, trustedProxies }: { visitLink: VisitLink; trustedProxies: string[] },
  fastify: RequestListener,
): Server {
  const Request = createVisitRequests(trustedProxies);
  return createServer(HTTP_SERVER_OPTIONS, (message, response) => {
    const { method, url = "" } = message;
    const shortCode = method === "GET" || method === "HEAD" ? requestedCode(url) : null;
    if (shortCode === null) fastify(message, response);
    else visitLink(new Request(message), response, shortCode);
  });
}

/** The short code of an address such as /l/abc2345?query; null if it is written in another way or is another address. */
export function requestedCode(url: string): string | null {
  if (!url.startsWith(SHORT_LINK_PATH_PREFIX)) return null;
  const queryAt = url.indexOf("?");
  const code = url.slice(SHORT_LINK_PATH_PREFIX.length, queryAt === -1 ? url.length : queryAt);
  return SHORT_CODE_PATTERN.test(code) ? code : null;
}
