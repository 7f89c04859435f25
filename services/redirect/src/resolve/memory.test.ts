import { beforeEach, expect, it } from "vitest";
import { liveRecord } from "../testing/test-service.ts";
import { parseChange } from "./change-push.ts";
import { LinkCache } from "./link-cache.ts";
import { applyChange, createUnknownCodes, type Memory } from "./memory.ts";
import { RevisionFloors } from "./revision-floors.ts";

let memory: Memory;
beforeEach(() => {
  memory = {
    links: new LinkCache({ maxEntries: 10, maxBytes: 1e6 }),
    floors: new RevisionFloors(6),
    unknownCodes: createUnknownCodes(10),
  };
});

const learn = (shortCode: string, revision: number) => applyChange(memory, { shortCode, revision });
const keep = (revision: number) =>
  memory.links.put("abc2345", { ...liveRecord({ revision }), marketplace: "de" }, 0);

it("forgets a link that changed, and believes nothing older", () => {
  keep(1);
  learn("abc2345", 2);
  expect(memory.links.get("abc2345")).toBeUndefined();
  expect(memory.floors.of("abc2345")).toBe(2);
});

it("takes changes in any order, and the same one twice", () => {
  for (const revision of [2, 4, 3, 4, 2]) learn("abc2345", revision);
  keep(4);
  learn("abc2345", 3);
  expect(memory.links.revisionOf("abc2345")).toBe(4);
  expect(memory.floors.of("abc2345")).toBe(4);
});

it("forgets that a code was unknown when its link is made", () => {
  memory.unknownCodes.set("abc2345", true);
  expect(memory.unknownCodes.has("abc2345")).toBe(true);
  learn("abc2345", 1);
  expect(memory.unknownCodes.has("abc2345")).toBe(false);
});

it("keeps the floors of the codes that changed last, and not ever more", () => {
  const codes = Array.from({ length: 20 }, (_, i) => `code${i}`);
  for (const code of codes) learn(code, 2);
  const kept = codes.map((code) => memory.floors.of(code)).filter((floor) => floor === 2).length;
  expect(memory.floors.of("code19")).toBe(2);
  expect(memory.floors.of("code17")).toBe(2);
  expect(memory.floors.of("code0")).toBe(0);
  expect(kept).toBeLessThanOrEqual(6);
});

it("hears only what is a change", () => {
  expect(parseChange("abc2345 7")).toEqual({ shortCode: "abc2345", revision: 7 });
  const noise = ["", "abc2345", "abc2345 ", "abc2345 0", "abc2345 -1", "abc2345 1.5", "ABC2345 1"];
  for (const message of [...noise, "abc2345 1 2", "abc2345 x", `abc2345 ${"9".repeat(400)}`]) {
    expect(parseChange(message)).toBeNull();
  }
});
