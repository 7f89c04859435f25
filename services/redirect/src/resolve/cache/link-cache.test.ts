import { expect, it } from "vitest";
import type { Link } from "../../link.ts";
import { liveRecord } from "../../testing/test-service.ts";
import { LinkCache, REFRESH_AFTER_MS, USABLE_FOR_MS } from "./link-cache.ts";

const MAX_BYTES = 4_000_000;
/** More than fit. */
const MANY = 20_000;

const link = (revision: number, fields = {}): Link => ({
  ...liveRecord({ revision }),
  marketplace: "de" as const,
  routed: null,
  ...fields,
});
const ROUTED = {
  asin: "B0ZZ1Y2X3W",
  marketplace: "de",
  subTag: "&ascsubtag=x",
  routing: {
    stores: [{ marketplace: "fr", tag: "me-21", isSold: true }],
    oneLink: ["it"],
    searchTitle: "Lämp",
  },
  searchWords: "L%C3%A4mp",
};
const requestAll = (cache: LinkCache, name: string, count = MANY) => {
  for (let i = 0; i < count; i++) {
    if (cache.get(`${name}${i}`) === undefined) cache.put(`${name}${i}`, link(1), 0);
  }
};

it("keeps the times of a link on hits", () => {
  const cache = new LinkCache(MAX_BYTES);
  cache.put("abc2345", link(1), 1_000);
  for (let i = 0; i < 5; i++) cache.get("abc2345");
  expect(cache.get("abc2345")).toMatchObject({
    source: "l1",
    lookup: link(1),
    refreshAt: 1_000 + REFRESH_AFTER_MS,
    usableUntil: 1_000 + USABLE_FOR_MS,
  });
});

it.each([
  ["a link with all fields", link(7, { expiresAt: 1_790_000_000_123, title: 'Lämp "1" 💡' })],
  ["a link without optional fields", link(1, { title: null, description: null, imageUrl: null })],
  [
    "a link whose addresses start as most do, and with an address after it",
    link(1, {
      webUrl: "https://www.amazon.https://example.com/",
      imageUrl: "https://m.media-amazon.com/images/I/https://example.com/a.jpg",
    }),
  ],
  ["a link whose addresses start otherwise", link(1, { webUrl: "https://amzn.to/3abc", imageUrl: "71abc.jpg" })],
  ["a routed link", link(2, { routed: ROUTED })],
  [
    "a link with a fallback",
    link(3, {
      fallbackPage: { webUrl: "https://www.amazon.fr/", marketplace: "fr", isProductGone: false },
      isUntagged: false,
    }),
  ],
  ["a link without tags", link(4, { isUntagged: true })],
  ["a link whose tag assistants get", link(4, { assistantsGetTag: true })],
  [
    "a link in an experiment",
    link(5, {
      arms: [{ os: "ios", to: null, arms: [{ key: "7-adopted", way: "tap", webUrl: "https://x" }] }],
    }),
  ],
  ["a tombstone", { state: "gone", revision: 3, reason: "taken-down" } as const],
])("returns %s as it was stored", (_title, stored) => {
  const cache = new LinkCache(MAX_BYTES);
  cache.put("abc2345", stored, 0);
  expect(cache.get("abc2345")?.lookup).toEqual(stored);
});

it.each([
  ["a link", link(1)],
  ["a tombstone", { state: "gone", revision: 3, reason: "deleted" } as const],
])("returns the same object for %s that is requested often", (_title, stored) => {
  const cache = new LinkCache(MAX_BYTES);
  cache.put("abc2345", stored, 0);
  for (let i = 0; i < 10; i++) cache.get("abc2345");
  expect(cache.get("abc2345")).toBe(cache.get("abc2345"));
});

it.each([
  ["others were requested", 0],
  ["others were stored in place of its record", MANY],
])("keeps a postponed refresh after many %s", (_title, stored) => {
  const cache = new LinkCache(MAX_BYTES);
  cache.put("abc2345", link(1), 0);
  const postpone = (shortCode: string, until: number) => {
    const cached = cache.get(shortCode);
    if (cached !== undefined) cache.postponeRefresh(shortCode, cached, until);
    return cached;
  };
  const cached = postpone("abc2345", 99_000);
  expect(cache.get("abc2345")).toBe(cached);
  for (const name of ["other", "other"]) requestAll(cache, name, stored);
  for (const name of ["code", "code"]) requestAll(cache, name, 4_000);
  for (let i = 0; i < 4_000; i++) postpone(`code${i}`, 1_000);
  expect(cache.get("abc2345")).toMatchObject({ refreshAt: 99_000, usableUntil: USABLE_FOR_MS });
  expect(cache.get("abc2345")).not.toBe(cached);
});

it("never replaces a newer revision with an older one", () => {
  const cache = new LinkCache(MAX_BYTES);
  const results = [2, 3, 1].map((revision) => cache.put("abc2345", link(revision), 0));
  expect(results).toEqual([true, true, false]);
  expect(cache.revisionOf("abc2345")).toBe(3);
});

it("returns the newer revision of a link that was requested before", () => {
  const cache = new LinkCache(MAX_BYTES);
  cache.put("abc2345", link(1), 0);
  cache.get("abc2345");
  cache.put("abc2345", link(2), 0);
  expect(cache.get("abc2345")?.lookup).toEqual(link(2));
});

it("deletes only revisions older than a change", () => {
  const cache = new LinkCache(MAX_BYTES);
  cache.put("abc2345", link(2), 0);
  cache.deleteOlder("abc2345", 2);
  expect(cache.get("abc2345")).toBeDefined();
  cache.deleteOlder("abc2345", 3);
  expect(cache.get("abc2345")).toBeUndefined();
});

it("when full, admits a link at its second request", () => {
  const cache = new LinkCache(MAX_BYTES);
  requestAll(cache, "code");
  expect(cache.put("abc2345", link(1), 0)).toBe(true);
  expect(cache.revisionOf("abc2345")).toBe(0);
  cache.put("abc2345", link(1), 0);
  expect(cache.revisionOf("abc2345")).toBe(1);
});

it("keeps a link that is requested often while many are requested once or twice", () => {
  const cache = new LinkCache(MAX_BYTES);
  cache.put("popular", link(1), 0);
  let hits = 0;
  for (let i = 0; i < MANY; i++) {
    for (let request = 0; request < 2; request++) cache.put(`code${i}`, link(1), 0);
    if (cache.get("popular") !== undefined) hits++;
  }
  expect(hits).toBe(MANY);
});

it("keeps links that were requested repeatedly during a scan of others", () => {
  const cache = new LinkCache(MAX_BYTES);
  for (let request = 0; request < 3; request++) requestAll(cache, "known", 3_000);
  requestAll(cache, "scanned", 50_000);
  const known = Array.from({ length: 3_000 }, (_, i) => cache.revisionOf(`known${i}`));
  expect(known.filter((revision) => revision === 1).length).toBeGreaterThan(2_900);
});

it("when full, still admits a newer revision of a cached link", () => {
  const cache = new LinkCache(MAX_BYTES);
  cache.put("abc2345", link(1), 0);
  for (let i = 0; i < MANY; i++) {
    cache.get("abc2345");
    cache.put(`code${i}`, link(1), 0);
  }
  cache.put("abc2345", link(2), 0);
  expect(cache.revisionOf("abc2345")).toBe(2);
});

it.each([
  ["small", link(1)],
  ["large", link(1, { description: "d".repeat(5_000) })],
  ["not representable in one byte per character", link(1, { description: "💡".repeat(2_000) })],
])("does not exceed its maximum size in bytes with links that are %s", (_title, stored) => {
  const cache = new LinkCache(MAX_BYTES);
  for (let i = 0; i < MANY; i++) {
    cache.put(`code${i}`, stored, 0);
    cache.get(`code${i}`);
  }
  expect(cache.bytes).toBeGreaterThan(MAX_BYTES / 2);
  expect(cache.bytes).toBeLessThanOrEqual(MAX_BYTES);
});
