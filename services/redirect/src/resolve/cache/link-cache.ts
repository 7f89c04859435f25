import { LRUCache } from "lru-cache";
import type { Link, LiveLink } from "../../link.ts";
import type { CachedLink } from "./cached-link.ts";
import { readRecord, recordOf, writeTimes } from "./link-record.ts";
import { RecordRing } from "./record-ring.ts";
import { RequestHistory } from "./request-history.ts";

/** After this time, a request refreshes the link. Hits do not extend it. */
export const REFRESH_AFTER_MS = 15 * 60_000;
/** Pause between two refreshes. The cached link is served during it. */
export const REFRESH_RETRY_MS = 1_000;
/**
 * How long a link may be served without a refresh if Redis and Postgres are unavailable. Less than the hour for which
 * the outbox keeps rows, so that all changes since the link was cached can still be read.
 */
export const USABLE_FOR_MS = 50 * 60_000;

/** For the links that are requested often, as objects. */
const OBJECTS_MAX_BYTES = 2 * 1_048_576;
/**
 * One of this many links read from text becomes an object. Links with many requests soon do, and V8 does not have to
 * collect objects of others.
 */
const READS_PER_OBJECT = 8;
/** An object, its fields and its place in the cache without texts. */
const OBJECT_BYTES = 600;
/** The requests of about as many codes are remembered as links fit. */
const BYTES_PER_REMEMBERED_REQUEST = 192;

/**
 * Validated links in the memory of this process: all as text outside V8's heap, those requested often also as objects. A
 * full cache admits a link at its second request and keeps those that are requested most, so that links requested once
 * do not evict others.
 */
export class LinkCache {
  readonly #objects: LRUCache<string, CachedLink>;
  readonly #records: RecordRing;
  readonly #requested: RequestHistory;
  #reads = 0;

  /** @param maxBytes for everything, at least 4 MB */
  constructor(maxBytes: number) {
    this.#objects = new LRUCache({
      max: Math.floor(OBJECTS_MAX_BYTES / OBJECT_BYTES),
      maxSize: OBJECTS_MAX_BYTES,
      sizeCalculation: estimateBytes,
      dispose: (link, shortCode, reason) => {
        if (reason === "evict") this.#keepRecord(shortCode, link);
      },
    });
    this.#requested = new RequestHistory(maxBytes / BYTES_PER_REMEMBERED_REQUEST);
    this.#records = new RecordRing(maxBytes - OBJECTS_MAX_BYTES - this.#requested.bytes);
  }

  get size(): number {
    return this.#records.size;
  }

  get bytes(): number {
    return this.#records.usedBytes + this.#objects.calculatedSize + this.#requested.bytes;
  }

  get(shortCode: string): CachedLink | undefined {
    const object = this.#objects.get(shortCode);
    if (object !== undefined) return object;
    const link = this.#records.get(shortCode, readRecord);
    if (link !== undefined && ++this.#reads % READS_PER_OBJECT === 0) {
      this.#objects.set(shortCode, link);
    }
    return link;
  }

  /** @param link what `get` returned */
  postponeRefresh(shortCode: string, link: CachedLink, until: number): void {
    link.refreshAt = until;
    this.#objects.set(shortCode, link);
  }

  /** 0 if the link is not cached. */
  revisionOf(shortCode: string): number {
    const link = this.#objects.peek(shortCode) ?? this.#records.get(shortCode, readRecord);
    return link?.lookup.revision ?? 0;
  }

  /** @returns false if a newer revision is cached */
  put(shortCode: string, link: Link, now: number): boolean {
    const cachedRevision = this.revisionOf(shortCode);
    if (cachedRevision > link.revision) return false;
    const isCached = cachedRevision > 0;
    const isAdmitted = isCached || !this.#records.isFull || this.#requested.isRepeated(shortCode);
    if (!isAdmitted) return true;
    if (isCached) this.#objects.delete(shortCode);
    const refreshAt = now + REFRESH_AFTER_MS;
    const usableUntil = now + USABLE_FOR_MS;
    this.#store(shortCode, { source: "l1", lookup: link, refreshAt, usableUntil });
    return true;
  }

  deleteOlder(shortCode: string, revision: number): void {
    if (this.revisionOf(shortCode) >= revision) return;
    this.#objects.delete(shortCode);
    this.#records.delete(shortCode);
  }

  #store(shortCode: string, link: CachedLink): void {
    this.#records.set(shortCode, recordOf(link));
  }

  /** For an object that is dropped: its time of refresh may have changed, and its record may have been overwritten. */
  #keepRecord(shortCode: string, link: CachedLink): void {
    const hasRecord = this.#records.get(shortCode, (bytes, start) => writeTimes(bytes, start, link));
    if (!hasRecord) this.#store(shortCode, link);
  }
}

/** Addresses take one byte per character, other text up to two. */
function estimateBytes({ lookup: link }: CachedLink): number {
  if (link.state === "gone") return OBJECT_BYTES;
  const textLength = lengthOf(link.title) + lengthOf(link.description) + lengthOf(link.siteName);
  return (
    OBJECT_BYTES +
    link.webUrl.length +
    (link.fallbackPage?.webUrl.length ?? 0) +
    lengthOf(link.imageUrl) +
    2 * textLength +
    routedBytes(link) +
    OBJECT_BYTES * (link.arms?.length ?? 0)
  );
}

const ROUTED_STORE_BYTES = 150;

function routedBytes({ routed }: LiveLink): number {
  if (routed === null) return 0;
  const { routing, subTag, searchWords } = routed;
  const textLength = subTag.length + searchWords.length + 2 * lengthOf(routing.searchTitle);
  return OBJECT_BYTES + routing.stores.length * ROUTED_STORE_BYTES + textLength;
}

function lengthOf(text: string | null): number {
  return text === null ? 0 : text.length;
}
