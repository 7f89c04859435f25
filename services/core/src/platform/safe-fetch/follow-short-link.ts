import { isStorePage, parseAmazonUrl } from "@tapthru/proto/rules/amazon/amazon-url";
import { FETCH_DEADLINE_MS, FETCH_MAX_REQUESTS } from "@tapthru/proto/rules/limits";
import { SafeFetchError } from "./errors.ts";
import type { SafeFetch, SafeFetchResponse } from "./safe-fetch.ts";

export type Resolution =
  /** `url` is the last Location, byte for byte. The store itself is not requested. */
  | { kind: "resolved"; url: string }
  | { kind: "not-short" }
  | { kind: "leads-elsewhere" }
  /** `permanent`: a retry fails too. `host` responded so: a status or a code of SafeFetchError. */
  | {
      kind: "bad-response";
      permanent: boolean;
      host?: string | undefined;
      reason?: string | undefined;
    }
  | { kind: "too-slow"; host?: string | undefined };

/**
 * Follows the Location headers of a short Amazon link to the first store page. Requests only Amazon's short-link
 * hosts. Never throws, and does not reveal the target of a link that leads elsewhere.
 */
export async function followShortLink(safeFetch: SafeFetch, text: string): Promise<Resolution> {
  const link = parseAmazonUrl(text);
  if (link.kind !== "short") return { kind: "not-short" };
  const deadline = AbortSignal.timeout(FETCH_DEADLINE_MS);
  const visited = new Set<string>();
  let url = link.url;
  while (visited.size < FETCH_MAX_REQUESTS && !visited.has(url)) {
    visited.add(url);
    const hop = await fetchHop(safeFetch, url, deadline);
    if (hop.kind !== "location") return hop;
    const next = parseAmazonUrl(hop.url);
    if (isStorePage(next)) return { kind: "resolved", url: hop.url };
    if (next.kind === "refused") {
      const isError = next.code === "unusable-link" && ERROR_PAGE.test(hop.url);
      return isError ? badResponse(url, "error page") : { kind: "leads-elsewhere" };
    }
    url = next.url;
  }
  return badResponse(url, "too many redirects", true);
}

/** Amazon's robot check and its other errors, which a later request may not meet. */
const ERROR_PAGE = /^https?:\/\/[^/?#]+\/(?:-\/\w+\/)?(?:gp\/)?errors\b/i;

function badResponse(url: string, reason: string, permanent = false) {
  return { kind: "bad-response", permanent, host: new URL(url).host, reason } as const;
}

type Hop = { kind: "location"; url: string } | Exclude<Resolution, { kind: "resolved" }>;

async function fetchHop(safeFetch: SafeFetch, url: string, deadline: AbortSignal): Promise<Hop> {
  try {
    return readHop(url, await safeFetch({ url, purpose: "short", deadline }));
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error;
    return error.code === "timeout" ? { kind: "too-slow", host: new URL(url).host } : badResponse(url, error.code);
  }
}

function readHop(url: string, { status, location }: SafeFetchResponse): Hop {
  if (location === null) return badResponse(url, `status ${status}`, status < 500 && status !== 429);
  return { kind: "location", url: resolveLocation(location, url) };
}

/** Returns absolute URLs unchanged, because the URL parser changes bytes and repairs invalid URLs. */
function resolveLocation(location: string, hopUrl: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(location) || location.includes("\\")) return location;
  if (location.startsWith("//")) return `https:${location}`;
  return URL.parse(location, hopUrl)?.href ?? location;
}
