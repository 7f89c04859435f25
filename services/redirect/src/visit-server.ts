import { createServer, type RequestListener, type Server } from "node:http";
import { HTTP_SERVER_OPTIONS } from "@tapthru/core/platform/http/http-server";
import { NAME_PATTERN, SHORT_CODE_PATTERN, shortCodeOf } from "@tapthru/proto/redirect/short-code";
import { DOMAIN_PATH_PREFIX, SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";
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

/**
 * The short code of an address such as /l/abc2345?query, or /d/go.anna.example/mug on an own domain; null if it is written in
 * another way or is another address.
 */
export function requestedCode(url: string): string | null {
  if (url.startsWith(SHORT_LINK_PATH_PREFIX)) {
    const name = pathAfter(SHORT_LINK_PATH_PREFIX, url);
    return NAME_PATTERN.test(name) ? name : null;
  }
  if (!url.startsWith(DOMAIN_PATH_PREFIX)) return null;
  const [host = "", name = "", ...rest] = pathAfter(DOMAIN_PATH_PREFIX, url).split("/");
  const code = shortCodeOf(name, host);
  return SHORT_CODE_PATTERN.test(code) && rest.length === 0 ? code : null;
}

function pathAfter(prefix: string, url: string): string {
  const queryAt = url.indexOf("?");
  return url.slice(prefix.length, queryAt === -1 ? url.length : queryAt);
}
