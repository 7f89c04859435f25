import { expect, it } from "vitest";
import { liveRecord } from "../testing/test-service.ts";
import { DROP_AFTER_MS, LinkCache, REFRESH_AFTER_MS } from "./link-cache.ts";

const link = (revision: number, fields = {}) => ({
  ...liveRecord({ revision, ...fields }),
  marketplace: "de" as const,
});

it("gives a link with the age it had when it came, however often it is asked", () => {
  const cache = new LinkCache({ maxEntries: 10, maxBytes: 1e6 });
  cache.put("abc2345", link(1), 1_000);
  for (let i = 0; i < 5; i++) cache.get("abc2345");
  expect(cache.get("abc2345")).toMatchObject({
    source: "l1",
    lookup: link(1),
    refreshAt: 1_000 + REFRESH_AFTER_MS,
    dropAt: 1_000 + DROP_AFTER_MS,
  });
});

it("never lets an older revision replace a newer", () => {
  const cache = new LinkCache({ maxEntries: 10, maxBytes: 1e6 });
  const taken = [2, 3, 1].map((revision) => cache.put("abc2345", link(revision), 0));
  expect(taken).toEqual([true, true, false]);
  expect(cache.revisionOf("abc2345")).toBe(3);
});

it("drops what is older than a change, and that alone", () => {
  const cache = new LinkCache({ maxEntries: 10, maxBytes: 1e6 });
  cache.put("abc2345", link(2), 0);
  cache.dropOlder("abc2345", 2);
  expect(cache.get("abc2345")).toBeDefined();
  cache.dropOlder("abc2345", 3);
  expect(cache.get("abc2345")).toBeUndefined();
});

it("when full, takes in what is asked for twice, for what was not asked for longest", () => {
  const cache = new LinkCache({ maxEntries: 2, maxBytes: 1e6 });
  const kept = () => ["one2222", "two2222", "thr2222"].map((code) => cache.revisionOf(code));
  cache.put("one2222", link(1), 0);
  cache.put("two2222", link(1), 0);
  cache.get("one2222");
  expect(cache.put("thr2222", link(1), 0)).toBe(true);
  expect(kept()).toEqual([1, 1, 0]);
  cache.put("thr2222", link(1), 0);
  expect(kept()).toEqual([1, 0, 1]);
});

it("when full, still takes in what is newer of a link that is here", () => {
  const cache = new LinkCache({ maxEntries: 1, maxBytes: 1e6 });
  cache.put("one2222", link(1), 0);
  cache.put("one2222", link(2), 0);
  expect(cache.revisionOf("one2222")).toBe(2);
});

it("keeps no more bytes than it may", () => {
  const cache = new LinkCache({ maxEntries: 1_000, maxBytes: 100_000 });
  const description = "d".repeat(5_000);
  for (let i = 0; i < 200; i++) cache.put(`code${i % 100}`, link(1, { description }), 0);
  expect(cache.size).toBeGreaterThan(5);
  expect(cache.size).toBeLessThanOrEqual(10);
  for (let i = 0; i < 2; i++)
    cache.put("giant22", link(1, { description: "d".repeat(100_000) }), 0);
  expect(cache.get("giant22")).toBeUndefined();
});
