import type { IncomingHttpHeaders } from "node:http";
import { parseUserAgent } from "@tapthru/proto/rules/agents/agent";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";

/** Headers in which browsers and proxies announce a request that precedes a visit. */
const PREFETCH_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;

/**
 * Whether a visit may create a link: a GET of a browser that opens the address as a page. HEAD requests, crawlers,
 * prefetches, and images or frames of other pages may not.
 */
export function mayCreate(method: string, headers: IncomingHttpHeaders): boolean {
  if (method !== "GET") return false;
  const isPrefetch = PREFETCH_HEADERS.some((name) =>
    /prefetch|prerender|preview/i.test(String(headers[name] ?? "")),
  );
  if (isPrefetch) return false;
  const destination = headers["sec-fetch-dest"];
  if (destination !== undefined && destination !== "document") return false;
  const { device } = parseUserAgent(headers["user-agent"] ?? "", BUILT_IN_OPENING_TABLE.apps);
  return device !== "preview-crawler" && device !== "bot";
}
