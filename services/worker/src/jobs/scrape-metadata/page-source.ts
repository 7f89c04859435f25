import type { SafeFetch, SafeFetchResponse } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { parseAmazonUrl, parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { isAsin } from "@tapthru/proto/rules/amazon/product-id";
import { FETCH_DEADLINE_MS, FETCH_MAX_REQUESTS } from "@tapthru/proto/rules/limits";
import { readPage } from "./read-page/read-page.ts";
import { type MetadataSource, type PageRef, type ReadResult, readResultFromError } from "./source.ts";

const FRESH_FOR_MS = 7 * 24 * 60 * 60 * 1_000;

type Nothing = Extract<ReadResult, { kind: "nothing" }>;

interface Arrival {
  response: SafeFetchResponse;
  /** Redirects led to another page of the store than that of the product. */
  isElsewhere: boolean;
}

/** Fetches the page itself, with safe-fetch's User-Agent. */
export function createPageSource(safeFetch: SafeFetch): MetadataSource {
  return {
    name: "page",
    freshForMs: FRESH_FOR_MS,
    keepForMs: null,
    async read(page, signal) {
      try {
        const arrival = await fetchPage(safeFetch, page, signal);
        if ("kind" in arrival) return arrival;
        const { status, contentType, body } = arrival.response;
        const result = await readPage({ status, contentType, bytes: body.bytes });
        return result.kind === "read" && arrival.isElsewhere ? { ...result, state: "redirected-elsewhere" } : result;
      } catch (error) {
        return readResultFromError(error, signal);
      }
    },
  };
}

async function fetchPage(
  safeFetch: SafeFetch,
  { canonicalUrl, marketplace, productId }: PageRef,
  signal: AbortSignal,
): Promise<Arrival | Nothing> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(FETCH_DEADLINE_MS)]);
  let url = canonicalUrl;
  let isElsewhere = false;
  for (let hop = 0; hop < FETCH_MAX_REQUESTS; hop++) {
    const response = await safeFetch({ url, purpose: "store", withBody: "prefix", deadline });
    if (response.location === null) return { response, isElsewhere };
    const target = URL.parse(response.location, url)?.href ?? "";
    const next = parseStorePage(target);
    if (next?.marketplace !== marketplace) {
      return { kind: "nothing", outcome: isLogin(target) ? "refused" : "leads-elsewhere" };
    }
    url = next.webUrl;
    isElsewhere = isAsin(productId) && next.productId !== productId;
  }
  return { kind: "nothing", outcome: "unreadable" };
}

function isLogin(url: string): boolean {
  const parsed = parseAmazonUrl(url);
  return parsed.kind === "refused" && parsed.code === "unusable-link";
}
