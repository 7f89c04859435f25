import { LRUCache } from "lru-cache";
import type { Link } from "../link.ts";
import { FrequencyFilter } from "./frequency-filter.ts";
import type { Resolution } from "./resolution.ts";

/** From then on a link is asked for again. Hits never put it off. */
export const REFRESH_AFTER_MS = 15 * 60_000;
/** While one asks again, and after nobody could be asked, it goes on serving for so long. */
export const REFRESH_PAUSE_MS = 1_000;
/**
 * So long it may serve where nobody can be asked. Less than the hour for which the outbox keeps its
 * rows: whatever changed since a link came here can still be read there.
 */
export const DROP_AFTER_MS = 50 * 60_000;

const ASKED_REMEMBERED = 20_000;

/** A link in memory, in the shape of an answer, so that a hit makes nothing. Times of performance.now(). */
export interface CachedLink extends Resolution {
  source: "l1";
  lookup: Link;
  refreshAt: number;
  dropAt: number;
}

export interface LinkCacheLimits {
  maxEntries: number;
  /** Estimated, keys and all. */
  maxBytes: number;
}

/**
 * Checked links of this process. Once it is full it takes in only what is asked for a second time, and
 * those least recently used leave: links asked for once do not drive out the others.
 */
export class LinkCache {
  readonly #limits: LinkCacheLimits;
  readonly #links: LRUCache<string, CachedLink>;
  readonly #asked = new FrequencyFilter(ASKED_REMEMBERED);

  constructor(limits: LinkCacheLimits) {
    this.#limits = limits;
    this.#links = new LRUCache({ max: limits.maxEntries, maxSize: limits.maxBytes });
  }

  get size(): number {
    return this.#links.size;
  }

  /** Estimated. */
  get bytes(): number {
    return this.#links.calculatedSize;
  }

  get(shortCode: string): CachedLink | undefined {
    return this.#links.get(shortCode);
  }

  /** 0 for a code that is not here. */
  revisionOf(shortCode: string): number {
    return this.#links.peek(shortCode)?.lookup.revision ?? 0;
  }

  /** @returns false for a link that is older than the one that is here */
  put(shortCode: string, link: Link, now: number): boolean {
    const revisionHere = this.revisionOf(shortCode);
    if (revisionHere > link.revision) return false;
    const size = bytesOf(link);
    const isNew = revisionHere === 0;
    if (isNew && this.#isFull(size) && !this.#asked.isSecondTime(shortCode)) return true;
    const entry: CachedLink = {
      source: "l1",
      lookup: link,
      refreshAt: now + REFRESH_AFTER_MS,
      dropAt: now + DROP_AFTER_MS,
    };
    this.#links.set(shortCode, entry, { size });
    return true;
  }

  dropOlder(shortCode: string, revision: number): void {
    if (this.revisionOf(shortCode) < revision) this.#links.delete(shortCode);
  }

  #isFull(size: number): boolean {
    const { maxEntries, maxBytes } = this.#limits;
    return this.#links.size >= maxEntries || this.#links.calculatedSize + size > maxBytes;
  }
}

const OBJECT_BYTES = 600;

/** Addresses have a byte a character; of words any may have two. */
function bytesOf(link: Link): number {
  if (link.state === "gone") return OBJECT_BYTES;
  const words = lengthOf(link.title) + lengthOf(link.description) + lengthOf(link.siteName);
  return OBJECT_BYTES + link.webUrl.length + lengthOf(link.imageUrl) + 2 * words;
}

function lengthOf(text: string | null): number {
  return text === null ? 0 : text.length;
}
