import { DIRECT, dimensionKey, OTHER_REFERRER, REFERRER_MAX_LENGTH } from "@tapthru/proto/clicks/keys";
import { LRUCache } from "lru-cache";

const MAX_CACHED = 2_000;
/** In characters. */
const MAX_CACHED_LENGTH = 512;

/** Also `android-app://com.example/`. Addresses such as 192.0.2.1 are not stored, so a letter is required at the end. */
const HOST = /^[a-z][a-z0-9+.-]*:\/\/(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*)(?=[:/?#]|$)/i;

/** The host of a Referer header, without `www.`. */
export function referrerHost(referrer: string | undefined): string {
  if (referrer === undefined || referrer === "") return DIRECT;
  const host = HOST.exec(referrer.slice(0, MAX_CACHED_LENGTH))?.[1]?.toLowerCase();
  return host === undefined || host.length > REFERRER_MAX_LENGTH ? OTHER_REFERRER : host;
}

/** Returns the count key of a Referer header. */
export function createReferrerKeys(): (referrer: string | undefined) => string {
  const cache = new LRUCache<string, string>({ max: MAX_CACHED });
  return (referrer = "") => {
    const cached = cache.get(referrer);
    if (cached !== undefined) return cached;
    const key = dimensionKey("referrer", referrerHost(referrer));
    if (referrer.length <= MAX_CACHED_LENGTH) cache.set(referrer, key);
    return key;
  };
}
