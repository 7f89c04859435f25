import { isStorePage, parseAmazonUrl } from "@tapthru/proto/rules/amazon-url";
import { FETCH_DEADLINE_MS, FETCH_MAX_HOPS } from "@tapthru/proto/rules/limits";
import { SafeFetchError } from "@tapthru/runtime/safe-fetch/errors";
import type { SafeFetch, SafeFetchResponse } from "@tapthru/runtime/safe-fetch/safe-fetch";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export type Resolution =
  /** `url` as the last Location gave it, byte for byte: an address of a store, which was not asked. */
  | { kind: "resolved"; url: string }
  | { kind: "not-short" }
  | { kind: "leads-elsewhere" }
  /** `lasting`: asking again is of no use. */
  | { kind: "bad-response"; permanent: boolean }
  | { kind: "too-slow" };

/**
 * Follows a short Amazon link by its Location headers alone, over Amazon's short hosts alone, up to
 * the first store page. Never throws, and never says where a link led that led elsewhere.
 */
export async function followShortLink(safeFetch: SafeFetch, text: string): Promise<Resolution> {
  const link = parseAmazonUrl(text);
  if (link.kind !== "short") return { kind: "not-short" };
  const deadline = AbortSignal.timeout(FETCH_DEADLINE_MS);
  const visited = new Set<string>();
  let url = link.url;
  while (visited.size < FETCH_MAX_HOPS && !visited.has(url)) {
    visited.add(url);
    const hop = await fetchHop(safeFetch, url, deadline);
    if (hop.kind !== "location") return hop;
    const next = parseAmazonUrl(hop.url);
    if (isStorePage(next)) return { kind: "resolved", url: hop.url };
    if (next.kind !== "short") return { kind: "leads-elsewhere" };
    url = next.url;
  }
  return { kind: "bad-response", permanent: true };
}

type Hop = { kind: "location"; url: string } | Exclude<Resolution, { kind: "resolved" }>;

async function fetchHop(safeFetch: SafeFetch, url: string, deadline: AbortSignal): Promise<Hop> {
  try {
    return readHop(url, await safeFetch({ url, purpose: "short", deadline }));
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error;
    return error.code === "timeout"
      ? { kind: "too-slow" }
      : { kind: "bad-response", permanent: false };
  }
}

function readHop(url: string, { status, location }: SafeFetchResponse): Hop {
  if (!REDIRECTS.has(status) || location === null) {
    return { kind: "bad-response", permanent: status < 500 && status !== 429 };
  }
  return { kind: "location", url: resolveLocation(location, url) };
}

/** Whole addresses stay as they are: the URL parser would change bytes and hide what is wrong. */
function resolveLocation(location: string, hopUrl: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(location) || location.includes("\\")) return location;
  if (location.startsWith("//")) return `https:${location}`;
  return URL.parse(location, hopUrl)?.href ?? location;
}
