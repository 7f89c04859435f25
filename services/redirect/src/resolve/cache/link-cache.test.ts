import { expect, it } from "vitest";
import { liveRecord } from "../../testing/test-service.ts";
import { LinkCache, REFRESH_AFTER_MS, USABLE_FOR_MS } from "./link-cache.ts";

const link = (revision: number, fields = {}) => ({
  ...liveRecord({ revision, ...fields }),
  marketplace: "de" as const,
});

it("keeps the times of a link on hits", () => {
  const cache = new LinkCache({ maxEntries: 10, maxBytes: 1e6 });
  cache.put("abc2345", link(1), 1_000);
  for (let i = 0; i < 5; i++) cache.get("abc2345");
  expect(cache.get("abc2345")).toMatchObject({
    source: "l1",
    lookup: link(1),
    refreshAt: 1_000 + REFRESH_AFTER_MS,
    usableUntil: 1_000 + USABLE_FOR_MS,
  });
});

it("never replaces a newer revision with an older one", () => {
  const cache = new LinkCache({ maxEntries: 10, maxBytes: 1e6 });
  const results = [2, 3, 1].map((revision) => cache.put("abc2345", link(revision), 0));
  expect(results).toEqual([true, true, false]);
  expect(cache.revisionOf("abc2345")).toBe(3);
});

it("deletes only revisions older than a change", () => {
  const cache = new LinkCache({ maxEntries: 10, maxBytes: 1e6 });
  cache.put("abc2345", link(2), 0);
  cache.deleteOlder("abc2345", 2);
  expect(cache.get("abc2345")).toBeDefined();
  cache.deleteOlder("abc2345", 3);
  expect(cache.get("abc2345")).toBeUndefined();
});

it("when full, admits a link requested twice and evicts the least recently used", () => {
  const cache = new LinkCache({ maxEntries: 2, maxBytes: 1e6 });
  const revisions = () => ["one2222", "two2222", "thr2222"].map((code) => cache.revisionOf(code));
  cache.put("one2222", link(1), 0);
  cache.put("two2222", link(1), 0);
  cache.get("one2222");
  expect(cache.put("thr2222", link(1), 0)).toBe(true);
  expect(revisions()).toEqual([1, 1, 0]);
  cache.put("thr2222", link(1), 0);
  expect(revisions()).toEqual([1, 0, 1]);
});

it("when full, still admits a newer revision of a cached link", () => {
  const cache = new LinkCache({ maxEntries: 1, maxBytes: 1e6 });
  cache.put("one2222", link(1), 0);
  cache.put("one2222", link(2), 0);
  expect(cache.revisionOf("one2222")).toBe(2);
});

it("does not exceed its maximum size in bytes", () => {
  const cache = new LinkCache({ maxEntries: 1_000, maxBytes: 100_000 });
  const description = "d".repeat(5_000);
  for (let i = 0; i < 200; i++) cache.put(`code${i % 100}`, link(1, { description }), 0);
  expect(cache.size).toBeGreaterThan(5);
  expect(cache.size).toBeLessThanOrEqual(10);
  for (let i = 0; i < 2; i++)
    cache.put("giant22", link(1, { description: "d".repeat(100_000) }), 0);
  expect(cache.get("giant22")).toBeUndefined();
});
