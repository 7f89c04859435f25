import { beforeEach, expect, it } from "vitest";
import { liveRecord } from "../../testing/test-service.ts";
import { parseChange } from "../changes/change-subscriber.ts";
import { RevisionFloor } from "../revision-floor.ts";
import { LinkCache } from "./link-cache.ts";
import { applyChange, createUnknownCodes, type Memory } from "./memory.ts";

let memory: Memory;
beforeEach(() => {
  memory = {
    links: new LinkCache(4_000_000),
    revisionFloor: new RevisionFloor(6),
    unknownCodes: createUnknownCodes(10),
  };
});

const apply = (shortCode: string, revision: number) => applyChange(memory, { shortCode, revision });
const cache = (revision: number) =>
  memory.links.put("abc2345", { ...liveRecord({ revision }), marketplace: "de", routed: null }, 0);

it("invalidates a changed link, and treats older revisions as stale", () => {
  cache(1);
  apply("abc2345", 2);
  expect(memory.links.get("abc2345")).toBeUndefined();
  expect(memory.revisionFloor.get("abc2345")).toBe(2);
});

it("accepts changes in any order, and repeated ones", () => {
  for (const revision of [2, 4, 3, 4, 2]) apply("abc2345", revision);
  cache(4);
  apply("abc2345", 3);
  expect(memory.links.revisionOf("abc2345")).toBe(4);
  expect(memory.revisionFloor.get("abc2345")).toBe(4);
});

it("removes a code from the unknown ones when its link is created", () => {
  memory.unknownCodes.set("abc2345", true);
  expect(memory.unknownCodes.has("abc2345")).toBe(true);
  apply("abc2345", 1);
  expect(memory.unknownCodes.has("abc2345")).toBe(false);
});

it("keeps only the minimum revisions of the most recently changed codes", () => {
  const codes = Array.from({ length: 20 }, (_, i) => `code${i}`);
  for (const code of codes) apply(code, 2);
  const kept = codes.map((code) => memory.revisionFloor.get(code)).filter((minimum) => minimum === 2).length;
  expect(memory.revisionFloor.get("code19")).toBe(2);
  expect(memory.revisionFloor.get("code17")).toBe(2);
  expect(memory.revisionFloor.get("code0")).toBe(0);
  expect(kept).toBeLessThanOrEqual(6);
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
