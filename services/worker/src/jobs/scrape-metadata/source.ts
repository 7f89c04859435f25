import type { Marketplace } from "@tapthru/proto/rules/marketplaces";

/** A page of which there is one row in `products`. */
export interface PageRef {
  canonicalUrl: string;
  marketplace: Marketplace;
  productId: string;
}

/** Fit to be shown and stored: clean text of bounded length, a picture of Amazon's image hosts. */
export interface Metadata {
  title: string | null;
  description: string | null;
  imageUrl: string | null;
  siteName: string | null;
}

/** Why nothing was learned of a page; what is known of it stays as it is. */
export const OUTCOMES = [
  "captcha",
  "consent",
  /** A 5xx, or Amazon's page that says so. */
  "error-page",
  /** The store says there is no such page; it may say so to servers of one that exists. */
  "gone",
  /** The store would not answer us. */
  "refused",
  /** Redirected to another host than the store's. */
  "leads-elsewhere",
  "too-slow",
  "unreachable",
  /** No page, none that says anything, or one that could not be parsed within its limits. */
  "unreadable",
  /** This source does not know such pages. */
  "unsupported",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What came of asking; `lasting`: asking again is of no use. */
export type Reading =
  | { kind: "read"; metadata: Metadata }
  | { kind: "nothing"; outcome: Outcome; lasting?: true };

/** Nobody could be asked now: the page is none the worse for it. */
export interface Postponed {
  kind: "postponed";
  retryInMs: number;
}

export interface MetadataSource {
  /** Age in milliseconds at which what was read has to be read again. */
  readonly freshForMs: number;
  /** How long in milliseconds what was read may be kept; null: for ever. */
  readonly keepForMs: number | null;
  /** @throws the signal's reason once it is aborted; whatever the other side does is a reading */
  read(page: PageRef, signal: AbortSignal): Promise<Reading | Postponed>;
}
