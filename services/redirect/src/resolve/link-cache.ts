import { LRUCache } from "lru-cache";
import type { Link } from "../link.ts";
import type { Resolution } from "./resolution.ts";

/** From then on a link is asked for again. Hits never put it off. */
export const REFRESH_AFTER_MS = 15 * 60_000;
/**
 * So long it may serve where nobody can be asked. Less than the hour for which the outbox keeps its
 * rows: whatever changed since a link came here can still be read there.
 */
export const DROP_AFTER_MS = 50 * 60_000;

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

/** Checked links of this process, least recently used ones leaving first. */
export class LinkCache {
  readonly #links: LRUCache<string, CachedLink>;

  constructor({ maxEntries, maxBytes }: LinkCacheLimits) {
    this.#links = new LRUCache({ max: maxEntries, maxSize: maxBytes });
  }

  get size(): number {
    return this.#links.size;
  }

  get(shortCode: string): CachedLink | undefined {
    return this.#links.get(shortCode);
  }

  /** 0 for a code that is not here. */
  revisionOf(shortCode: string): number {
    return this.#links.peek(shortCode)?.lookup.revision ?? 0;
  }

  put(shortCode: string, link: Link, now: number): void {
    if (this.revisionOf(shortCode) > link.revision) return;
    const entry: CachedLink = {
      source: "l1",
      lookup: link,
      refreshAt: now + REFRESH_AFTER_MS,
      dropAt: now + DROP_AFTER_MS,
    };
    this.#links.set(shortCode, entry, { size: bytesOf(link) });
  }

  dropOlder(shortCode: string, revision: number): void {
    if (this.revisionOf(shortCode) < revision) this.#links.delete(shortCode);
  }
}

const OBJECT_BYTES = 600;

/** Addresses have a byte a character; of words any may have two. */
function bytesOf(link: Link): number {
  if (link.state === "gone") return OBJECT_BYTES;
  const words = [link.title, link.description, link.siteName];
  const addresses = [link.webUrl, link.imageUrl];
  const length = (texts: (string | null)[]) =>
    texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  return OBJECT_BYTES + length(addresses) + 2 * length(words);
}
