import { expect, it } from "vitest";
import { createRandom } from "../random.ts";
import { atMostPerHour, slopeOf } from "./slope.ts";

const series = (valueAt: (atS: number) => number) =>
  Array.from({ length: 121 }, (_, number) => ({ atS: number * 5, value: valueAt(number * 5) }));

it("finds the slope of a line without an error", () => {
  const { mean, perHour, errorPerHour } = slopeOf(series((atS) => 100 + atS / 60));

  expect(mean).toBeCloseTo(105);
  expect(perHour).toBeCloseTo(60);
  expect(errorPerHour).toBeCloseTo(0);
});

it("has the slope of noise within three standard errors of zero", () => {
  const random = createRandom(7);

  const { perHour, errorPerHour } = slopeOf(series(() => 100 + random()));

  expect(errorPerHour).toBeGreaterThan(0);
  expect(Math.abs(perHour)).toBeLessThan(3 * errorPerHour);
});

it("has a larger error when neighboring values are alike", () => {
  const random = createRandom(7);
  const noise = series(() => random());
  // The same values, each for ten samples.
  const alike = noise.map((point, i) => ({ ...point, value: noise[i - (i % 10)]?.value ?? 0 }));

  expect(slopeOf(alike).errorPerHour).toBeGreaterThan(2 * slopeOf(noise).errorPerHour);
});

it("fails only if the slope is above the limit by more than its error", () => {
  const random = createRandom(7);
  const leak = series((atS) => 100 + atS / 60 + random());

  expect(atMostPerHour("memory", leak, 30, "MB")).toMatchObject({
    limit: "≤ 30 MB",
    passed: false,
  });
  expect(atMostPerHour("memory", leak, 65, "MB").passed).toBe(true);
  expect(atMostPerHour("memory", leak, null, "MB")).toMatchObject({ limit: null, passed: true });
});

it("has no limit in a run of less than ten minutes", () => {
  const leak = series((atS) => 100 + atS).slice(0, -1);

  expect(atMostPerHour("memory", leak, 30, "MB")).toMatchObject({ limit: null, passed: true });
});

it("prints mean, slope and error", () => {
  const { measured } = atMostPerHour(
    "memory",
    series((atS) => 100 - atS / 60),
    0,
    "MB",
  );

  expect(measured).toBe("95 MB, -60 ± 0");
});
