import { expect, it } from "vitest";
import { workerLimits } from "./limits.ts";

const ANY = { openFiles: Number.POSITIVE_INFINITY, memoryBytes: Number.POSITIVE_INFINITY };

it("divides the connections among the workers", () => {
  expect(workerLimits(4, ANY)).toEqual({
    connections: 32_768,
    openFiles: 65_536,
  });
});

it("stays within the limit of open files of a process", () => {
  expect(workerLimits(2, { ...ANY, openFiles: 257 })).toEqual({ connections: 128, openFiles: 256 });
});

it.each([
  ["of the container of a 2 GB installation", 112 * 1_024 ** 2, 955],
  ["that is too small for any", 50_000_000, 512],
])("stays within a memory %s", (_case, memoryBytes, connections) => {
  expect(workerLimits(2, { ...ANY, memoryBytes }).connections).toBe(connections);
});
