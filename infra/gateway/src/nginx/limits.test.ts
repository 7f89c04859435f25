import { expect, it } from "vitest";
import { workerLimits } from "./limits.ts";

it("divides the connections among the workers", () => {
  expect(workerLimits(4, Number.POSITIVE_INFINITY)).toEqual({
    connections: 32_768,
    openFiles: 65_536,
  });
});

it("stays within the limit of open files of a process", () => {
  expect(workerLimits(2, 1_025)).toEqual({ connections: 512, openFiles: 1_024 });
});
