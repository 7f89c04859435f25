import { expect, it } from "vitest";
import { largestDifferences, selfTimes } from "./self-times.ts";

const node = (id: number, functionName: string, url = "") => ({
  id,
  callFrame: { functionName, url, lineNumber: 0 },
});

it("adds up the time between samples for each function", () => {
  const times = selfTimes({
    nodes: [node(1, "respond", "file:///a/routes.ts"), node(2, ""), node(3, "(idle)")],
    samples: [1, 2, 1, 3],
    timeDeltas: [10, 20, 30, 40],
  });
  expect([...times]).toEqual([
    ["respond (routes.ts)", 40],
    ["anonymous", 20],
    ["(idle)", 40],
  ]);
});

it("lists the functions that differ most first, without idle time", () => {
  const service = new Map([
    ["a", 5],
    ["b", 3],
    ["(idle)", 90],
  ]);
  const bare = new Map([
    ["a", 4],
    ["c", 2.5],
  ]);
  expect(largestDifferences(service, bare, 2)).toEqual([
    { name: "b", service: 3, bare: 0 },
    { name: "c", service: 0, bare: 2.5 },
  ]);
});
