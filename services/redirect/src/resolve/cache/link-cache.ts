import { LRUCache } from "lru-cache";
import type { Link } from "../../link.ts";
import type { Resolution } from "../resolution.ts";
import { FrequencyFilter } from "./frequency-filter.ts";

/** After this time, a request refreshes the link. Hits do not extend it. */
export const REFRESH_AFTER_MS = 15 * 60_000;
/** Pause between two refreshes. The cached link is served during it. */
export const REFRESH_RETRY_MS = 1_000;
/**
 * How long a link may be served without a refresh if Redis and Postgres are unavailable. Less than the hour for which
 * the outbox keeps rows, so that all changes since the link was cached can still be read.
 */
export const USABLE_FOR_MS = 50 * 60_000;

const REQUEST_HISTORY_SIZE = 20_000;

/**
 * A cached link. It implements Resolution itself, so that a hit allocates no object. Times are values of
 * performance.now().
 */
export interface CachedLink extends Resolution {
  source: "l1";
  lookup: Link;
  refreshAt: number;
  usableUntil: number;
}

export interface LinkCacheLimits {
  maxEntries: number;
  /** Estimated maximum size, including keys. */
  maxBytes: number;
}

/**
 * Validated links in the memory of this process. A full cache admits a link at its second request and evicts the least
 * recently used ones, so that links requested once do not evict others.
 */
export class LinkCache {
  readonly #limits: LinkCacheLimits;
  readonly #links: LRUCache<string, CachedLink>;
  readonly #requested = new FrequencyFilter(REQUEST_HISTORY_SIZE);

  constructor(limits: LinkCacheLimits) {
    this.#limits = limits;
    this.#links = new LRUCache({ max: limits.maxEntries, maxSize: limits.maxBytes });
  }

  get size(): number {
    return this.#links.size;
  }

  /** The estimated size of all links. */
  get bytes(): number {
    return this.#links.calculatedSize;
  }

  get(shortCode: string): CachedLink | undefined {
    return this.#links.get(shortCode);
  }

  /** 0 if the link is not cached. */
  revisionOf(shortCode: string): number {
    return this.#links.peek(shortCode)?.lookup.revision ?? 0;
  }

  /** @returns false if a newer revision is cached */
  put(shortCode: string, link: Link, now: number): boolean {
    const cachedRevision = this.revisionOf(shortCode);
    if (cachedRevision > link.revision) return false;
    const size = estimateBytes(link);
    const isNew = cachedRevision === 0;
    if (isNew && this.#isFull(size) && !this.#requested.isRepeated(shortCode)) return true;
    const entry: CachedLink = {
      source: "l1",
      lookup: link,
      refreshAt: now + REFRESH_AFTER_MS,
      usableUntil: now + USABLE_FOR_MS,
    };
    this.#links.set(shortCode, entry, { size });
    return true;
  }

  deleteOlder(shortCode: string, revision: number): void {
    if (this.revisionOf(shortCode) < revision) this.#links.delete(shortCode);
  }

  #isFull(size: number): boolean {
    const { maxEntries, maxBytes } = this.#limits;
    return this.#links.size >= maxEntries || this.#links.calculatedSize + size > maxBytes;
  }
}

const OBJECT_BYTES = 600;

/** Addresses take one byte per character, other text up to two. */
function estimateBytes(link: Link): number {
  if (link.state === "gone") return OBJECT_BYTES;
  const textLength = lengthOf(link.title) + lengthOf(link.description) + lengthOf(link.siteName);
  return OBJECT_BYTES + link.webUrl.length + lengthOf(link.imageUrl) + 2 * textLength;
}

function lengthOf(text: string | null): number {
  return text === null ? 0 : text.length;
}
