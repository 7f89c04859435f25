import { LRUCache } from "lru-cache";
import type { Link, LiveLink, Lookup } from "../link.ts";

/** After this time, a request refreshes the link. Hits do not extend it. */
export const REFRESH_AFTER_MS = 15 * 60_000;
/**
 * How long a link may be served without a refresh if Redis and Postgres are unavailable. Less than the hour for which
 * the outbox keeps rows, so that all changes since the link was cached can still be read.
 */
export const USABLE_FOR_MS = 50 * 60_000;

// Together they use less than 20 MB.
const MAX_UNKNOWN_CODES = 10_000;
const UNKNOWN_CODE_TTL_MS = 10_000;
const MAX_CHANGED_CODES = 100_000;

/** An object, its fields and its place in the cache without texts. */
const OBJECT_BYTES = 600;
const ROUTED_STORE_BYTES = 150;

/** The result for a code, and where it came from; `none` if no store was queried, or none responded. */
export interface Resolution {
  source: "l1" | "redis" | "postgres" | "none";
  lookup: Lookup;
}

/** It implements Resolution itself, so that a hit allocates no object. Times are values of performance.now(). */
export interface CachedLink extends Resolution {
  source: "l1";
  lookup: Link;
  refreshAt: number;
  usableUntil: number;
}

export interface Change {
  shortCode: string;
  revision: number;
}

/** The memory of this replica: the links and owners requested most recently, and the revisions of those that changed. */
export class Memory {
  readonly #links: LRUCache<string, CachedLink>;
  /** The newest known revision of each recently changed code. Older ones are stale, no matter where they come from. */
  readonly #revisions: LRUCache<string, number>;
  /** Codes that Postgres did not know within the last ten seconds. */
  readonly unknownCodes = new LRUCache<string, true>({ max: MAX_UNKNOWN_CODES, ttl: UNKNOWN_CODE_TTL_MS });

  /** @param maxBytes for the links */
  constructor(maxBytes: number, { maxChangedCodes = MAX_CHANGED_CODES } = {}) {
    this.#links = new LRUCache({
      max: Math.ceil(maxBytes / OBJECT_BYTES),
      maxSize: maxBytes,
      sizeCalculation: ({ lookup }) => estimateBytes(lookup),
    });
    this.#revisions = new LRUCache({ max: maxChangedCodes });
  }

  get size(): number {
    return this.#links.size;
  }

  get bytes(): number {
    return this.#links.calculatedSize;
  }

  get(shortCode: string): CachedLink | undefined {
    return this.#links.get(shortCode);
  }

  /** @returns false if a newer revision is cached */
  put(shortCode: string, link: Link, now: number): boolean {
    if (this.#cachedRevision(shortCode) > link.revision) return false;
    const refreshAt = now + REFRESH_AFTER_MS;
    const usableUntil = now + USABLE_FOR_MS;
    this.#links.set(shortCode, { source: "l1", lookup: link, refreshAt, usableUntil });
    return true;
  }

  /** Puts a link in the place of one that is cached, from which it was made. */
  replace(shortCode: string, before: Link, after: Link): void {
    const cached = this.#links.peek(shortCode);
    if (cached?.lookup === before) this.#links.set(shortCode, { ...cached, lookup: after });
  }

  /** The revision that a record needs at least; 0 for a code without a known change. */
  minimumRevision(shortCode: string): number {
    return this.#revisions.peek(shortCode) ?? 0;
  }

  /** Invalidates what the change made stale. Idempotent; changes may arrive in any order. */
  apply({ shortCode, revision }: Change): void {
    this.unknownCodes.delete(shortCode);
    // A first revision makes nothing stale.
    if (revision === 1) return;
    this.#revisions.set(shortCode, Math.max(revision, this.minimumRevision(shortCode)));
    if (this.#cachedRevision(shortCode) < revision) this.#links.delete(shortCode);
  }

  #cachedRevision(shortCode: string): number {
    return this.#links.peek(shortCode)?.lookup.revision ?? 0;
  }
}

const CHANNEL_BYTES = 300;

/** Addresses take one byte per character, other text up to two. */
function estimateBytes(link: Link): number {
  if (link.state === "gone") return OBJECT_BYTES;
  if (link.state === "owner") {
    const channels = Object.values(link.channels);
    const tagCount = channels.reduce((count, { tags }) => count + Object.keys(tags).length, 0);
    const addressLength = channels.reduce((length, { fallbackUrl }) => length + lengthOf(fallbackUrl), 0);
    return OBJECT_BYTES + channels.length * CHANNEL_BYTES + tagCount * ROUTED_STORE_BYTES + addressLength;
  }
  const textLength =
    lengthOf(link.title) + lengthOf(link.productTitle) + lengthOf(link.description) + lengthOf(link.siteName);
  return (
    OBJECT_BYTES +
    link.webUrl.length +
    lengthOf(link.fallbackUrl) +
    lengthOf(link.fallbackPage?.webUrl) +
    lengthOf(link.imageUrl) +
    2 * textLength +
    routedBytes(link)
  );
}

function routedBytes({ routed, soldIn = [] }: LiveLink): number {
  const ownBytes = soldIn.length * ROUTED_STORE_BYTES;
  if (routed === null) return ownBytes;
  const { routing, subTag, searchWords } = routed;
  const textLength = subTag.length + searchWords.length;
  return ownBytes + OBJECT_BYTES + routing.stores.length * ROUTED_STORE_BYTES + textLength;
}

function lengthOf(text: string | null | undefined): number {
  return text?.length ?? 0;
}
