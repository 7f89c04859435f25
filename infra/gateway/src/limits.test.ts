import { expect, it } from "vitest";
import { workerLimits } from "./limits.ts";

it("shares the connections among the workers", () => {
  expect(workerLimits(4, Number.POSITIVE_INFINITY)).toEqual({
    connections: 32_768,
    openFiles: 65_536,
  });
});

it("lets a worker open no more files than its process may", () => {
  expect(workerLimits(2, 1_025)).toEqual({ connections: 512, openFiles: 1_024 });
});
