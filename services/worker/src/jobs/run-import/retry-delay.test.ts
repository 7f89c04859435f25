import { expect, it } from "vitest";
import { retryDelayMs } from "./retry-delay.ts";

it("doubles up to four minutes, and ends after nine attempts", () => {
  const seconds = Array.from({ length: 10 }, (_, index) => {
    const delayMs = retryDelayMs(index + 1, "not-requested");
    return delayMs === null ? null : delayMs / 1_000;
  });
  expect(seconds).toEqual([15, 30, 60, 120, 240, 240, 240, 240, null, null]);
});

it("is longer for lines that were requested", () => {
  expect(retryDelayMs(1, "no-response")).toBeGreaterThan(retryDelayMs(1, "not-requested") ?? 0);
});
