import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { FETCH_DEADLINE_MS, FETCH_MAX_REQUESTS } from "@tapthru/proto/rules/limits";
import type { SafeFetch, SafeFetchResponse } from "@tapthru/runtime/safe-fetch/safe-fetch";
import { readPage } from "./read-page/read-page.ts";
import { readResultFromError } from "./request-failure.ts";
import type { MetadataSource, PageRef, ReadResult } from "./source.ts";

const FRESH_FOR_MS = 7 * 24 * 60 * 60 * 1_000;

type Nothing = Extract<ReadResult, { kind: "nothing" }>;

/** Fetches the page itself, with safe-fetch's User-Agent. */
export function createPageSource({ safeFetch }: { safeFetch: SafeFetch }): MetadataSource {
  return {
    freshForMs: FRESH_FOR_MS,
    keepForMs: null,
    async read(page, signal) {
      try {
        const response = await fetchPage(safeFetch, page, signal);
        if ("kind" in response) return response;
        const { status, contentType, body } = response;
        return await readPage({ status, contentType, bytes: body.bytes }, signal);
      } catch (error) {
        return readResultFromError(error, signal);
      }
    },
  };
}

/** Follows redirects within the store of the page. */
async function fetchPage(
  safeFetch: SafeFetch,
  { canonicalUrl, marketplace }: PageRef,
  signal: AbortSignal,
): Promise<SafeFetchResponse | Nothing> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(FETCH_DEADLINE_MS)]);
  let url = canonicalUrl;
  for (let hop = 0; hop < FETCH_MAX_REQUESTS; hop++) {
    const response = await safeFetch({ url, purpose: "store", withBody: true, deadline });
    if (response.location === null) return response;
    const next = parseStorePage(URL.parse(response.location, url)?.href ?? "");
    if (next?.marketplace !== marketplace) {
      return { kind: "nothing", outcome: "leads-elsewhere" };
    }
    url = next.webUrl;
  }
  return { kind: "nothing", outcome: "leads-elsewhere" };
}
