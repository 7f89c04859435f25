import { beforeEach, expect, it } from "vitest";
import type { Link } from "../link.ts";
import { liveRecord } from "../testing/test-service.ts";
import { parseChange } from "./changes/change-subscriber.ts";
import { Memory, REFRESH_AFTER_MS, USABLE_FOR_MS } from "./memory.ts";

const MAX_BYTES = 4_000_000;
/** More than fit. */
const MANY = 10_000;

const CODE = "abc2345";
const link = (revision: number, fields = {}): Link => ({
  ...liveRecord({ revision }),
  marketplace: "de" as const,
  routed: null,
  ...fields,
});

let memory: Memory;
beforeEach(() => {
  memory = new Memory(MAX_BYTES, { maxChangedCodes: 6 });
});

const apply = (shortCode: string, revision: number) => memory.apply({ shortCode, revision });
const revisionOf = (shortCode: string) => memory.get(shortCode)?.lookup.revision;

it("keeps the times of a link on hits, and returns the same object", () => {
  memory.put(CODE, link(1), 1_000);
  const first = memory.get(CODE);
  expect(memory.get(CODE)).toBe(first);
  expect(first).toEqual({
    source: "l1",
    lookup: link(1),
    refreshAt: 1_000 + REFRESH_AFTER_MS,
    usableUntil: 1_000 + USABLE_FOR_MS,
  });
});

it("never replaces a newer revision with an older one", () => {
  const results = [2, 3, 1].map((revision) => memory.put(CODE, link(revision), 0));
  expect(results).toEqual([true, true, false]);
  expect(revisionOf(CODE)).toBe(3);
});

it("invalidates a changed link, and treats older revisions as stale", () => {
  memory.put(CODE, link(1), 0);
  apply(CODE, 2);
  expect(memory.get(CODE)).toBeUndefined();
  expect(memory.minimumRevision(CODE)).toBe(2);
});

it("accepts changes in any order, and repeated ones", () => {
  for (const revision of [2, 4, 3, 4, 2]) apply(CODE, revision);
  memory.put(CODE, link(4), 0);
  apply(CODE, 3);
  expect(revisionOf(CODE)).toBe(4);
  expect(memory.minimumRevision(CODE)).toBe(4);
});

it("removes a code from the unknown ones when its link is created", () => {
  memory.unknownCodes.set(CODE, true);
  apply(CODE, 1);
  expect(memory.unknownCodes.has(CODE)).toBe(false);
});

it("keeps only the minimum revisions of the most recently changed codes", () => {
  const codes = Array.from({ length: 20 }, (_, i) => `code${i}`);
  for (const code of codes) apply(code, 2);
  expect(codes.filter((code) => memory.minimumRevision(code) === 2)).toEqual(codes.slice(-6));
});

it("keeps a link that is requested while many others are read", () => {
  memory.put(CODE, link(1), 0);
  for (let i = 0; i < MANY; i++) {
    memory.put(`code${i}`, link(1), 0);
    expect(memory.get(CODE)).toBeDefined();
  }
  expect(memory.get("code0")).toBeUndefined();
});

it.each([
  ["small", link(1)],
  ["large", link(1, { description: "d".repeat(5_000) })],
  ["tombstones", { state: "gone", revision: 3, reason: "deleted" } as const],
])("does not exceed its maximum size in bytes with links that are %s", (_title, stored) => {
  for (let i = 0; i < MANY; i++) memory.put(`code${i}`, stored, 0);
  expect(memory.bytes).toBeGreaterThan(MAX_BYTES * 0.9);
  expect(memory.bytes).toBeLessThanOrEqual(MAX_BYTES);
});

it("parses only valid changes", () => {
  expect(parseChange("abc2345 7")).toEqual({ shortCode: "abc2345", revision: 7 });
  const shortCode = "mug@go.anna.example";
  expect(parseChange(`${shortCode} 7`)).toEqual({ shortCode, revision: 7 });
  const invalid = ["", "abc2345", "abc2345 ", "abc2345 0", "abc2345 -1", "abc2345 1.5", "ABC2345 1"];
  for (const message of [...invalid, "abc2345 1 2", "abc2345 x", `abc2345 ${"9".repeat(400)}`]) {
    expect(parseChange(message)).toBeNull();
  }
});
