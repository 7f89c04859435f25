import { expect, it } from "vitest";
import { limitResolutions, retryDelayMs } from "./resolve-lines.ts";

it("runs two resolutions at once, and all in the end", async () => {
  let running = 0;
  let most = 0;
  const resolve = limitResolutions(async (url) => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return { kind: "resolved", url };
  });
  const found = await Promise.all(["a", "b", "c"].map(resolve));
  expect(found.map((each) => each.kind === "resolved" && each.url)).toEqual(["a", "b", "c"]);
  expect(most).toBe(2);
});

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
