import fc from "fast-check";
import { expect, it } from "vitest";
import { RecordRing } from "./record-ring.ts";

const MAX_BYTES = 8_192;
const valueIn = (ring: RecordRing, shortCode: string) =>
  ring.get(shortCode, (bytes, start, end) => bytes.toString("utf8", start, end));
const set = (ring: RecordRing, shortCode: string, value: string) => ring.set(shortCode, Buffer.from(value));
const codes = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `code${from + i}`);

it("keeps the longest codes apart", () => {
  const ring = new RecordRing(MAX_BYTES);
  const longest = (name: string) => name.repeat(50) + "@".repeat(205);
  set(ring, longest("a"), "one");
  set(ring, longest("b"), "two");
  expect([longest("a"), longest("b"), "a"].map((code) => valueIn(ring, code))).toEqual(["one", "two", undefined]);
});

it("overwrites the oldest records when it is full", () => {
  const ring = new RecordRing(MAX_BYTES);
  for (const code of codes(0, 1_000)) set(ring, code, code.repeat(10));
  expect(ring.isFull).toBe(true);
  expect(ring.size).toBeGreaterThan(50);
  expect(ring.size).toBeLessThan(100);
  expect(valueIn(ring, "code999")).toBe("code999".repeat(10));
  expect(valueIn(ring, "code900")).toBeUndefined();
});

it("keeps a record that is read while others are not", () => {
  const ring = new RecordRing(MAX_BYTES);
  set(ring, "popular", "kept");
  const values = codes(0, 5_000).map((code) => {
    set(ring, code, "never read");
    return valueIn(ring, "popular");
  });
  expect(new Set(values)).toEqual(new Set(["kept"]));
});

it("stores a new record although all others were read", () => {
  const ring = new RecordRing(MAX_BYTES);
  const missing = codes(0, 2_000).filter((code) => {
    set(ring, code, code);
    return [1, 2, 3].some(() => valueIn(ring, code) !== code);
  });
  expect(missing).toEqual([]);
});

it("does not store a record that is larger than itself", () => {
  const ring = new RecordRing(MAX_BYTES);
  set(ring, "abc2345", "v");
  set(ring, "giant22", "v".repeat(MAX_BYTES));
  expect(valueIn(ring, "giant22")).toBeUndefined();
  expect(valueIn(ring, "abc2345")).toBe("v");
});

it("returns what a Map would, or nothing, and stays within its size", () => {
  const code = fc.integer({ min: 0, max: 60 }).map((n) => `c${n}`);
  const size = fc.oneof(fc.integer({ max: 200, min: 0 }), fc.integer({ max: 7_000, min: 0 }));
  const step = fc.record({ action: fc.constantFrom("set", "get", "delete"), code, size });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const ring = new RecordRing(MAX_BYTES);
      const map = new Map<string, string>();
      steps.forEach(({ action, code, size }, i) => {
        const value = `${i} ${"x".repeat(size)}`;
        if (action === "set") {
          map.set(code, value);
          set(ring, code, value);
        } else if (action === "delete") {
          map.delete(code);
          ring.delete(code);
        }
        const found = valueIn(ring, code) ?? map.get(code);
        if (found !== map.get(code) || ring.usedBytes > MAX_BYTES) expect.fail(`step ${i}`);
      });
      const stored = [...map.keys()].filter((key) => valueIn(ring, key) !== undefined);
      for (const key of stored) expect(valueIn(ring, key)).toBe(map.get(key));
      expect(ring.size).toBe(stored.length);
    }),
    { numRuns: 100 },
  );
});
