import { SafeFetchError, type SafeFetchErrorCode } from "@tapthru/core/platform/safe-fetch/errors";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import type { CheckSource } from "@tapthru/proto/rules/link-health";

export interface PageRef {
  canonicalUrl: string;
  marketplace: Marketplace;
  productId: string;
}

/** Safe to display and store: clean text of limited length, an image on Amazon's image hosts. */
export interface Metadata {
  title: string | null;
  description: string | null;
  imageUrl: string | null;
  siteName: string | null;
}

export const OUTCOMES = [
  "captcha",
  "consent",
  /** A 5xx, or Amazon's error page. */
  "error-page",
  /**
   * The store responds that the page does not exist. Stores sometimes send servers this response for existing
   * pages too.
   */
  "gone",
  /** The store refused the request, or demands a login. */
  "refused",
  /** A redirect to a host other than the store's, but not to a login. */
  "leads-elsewhere",
  "too-slow",
  "unreachable",
  /** Not a page, a loop, a page without metadata, or one that could not be parsed within the limits. */
  "unreadable",
  "unsupported",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Further facts that a read found about the product; pages do not always say whether it is in stock. */
type FoundState = "out-of-stock" | "redirected-elsewhere";

/** The result of a read. `asin`: the product of which the response itself says that it is; `lasting`: retrying is useless. */
export type ReadResult =
  | { kind: "read"; metadata: Metadata; state?: FoundState; asin?: string }
  | { kind: "nothing"; outcome: Outcome; lasting?: true };

/** No request was possible: does not count as an attempt. */
export interface Postponed {
  kind: "postponed";
  retryInMs: number;
}

export interface MetadataSource {
  readonly name: CheckSource;
  /** Age in milliseconds at which metadata must be refreshed. */
  readonly freshForMs: number;
  /** How long metadata may be stored, in milliseconds; null: without a limit. */
  readonly keepForMs: number | null;
  /** @throws only the signal's reason if it is aborted; all other failures are results */
  read(page: PageRef, signal: AbortSignal): Promise<ReadResult | Postponed>;
}

const RESULTS: Record<SafeFetchErrorCode, ReadResult> = {
  "refused-url": { kind: "nothing", outcome: "unsupported", lasting: true },
  "refused-address": { kind: "nothing", outcome: "unreachable" },
  unreachable: { kind: "nothing", outcome: "unreachable" },
  "bad-response": { kind: "nothing", outcome: "unreadable" },
  timeout: { kind: "nothing", outcome: "too-slow" },
};

/** @throws the signal's reason if it is aborted, and errors that are not SafeFetchError */
export function readResultFromError(error: unknown, signal: AbortSignal): ReadResult {
  signal.throwIfAborted();
  if (error instanceof SafeFetchError) return RESULTS[error.code];
  throw error;
}
