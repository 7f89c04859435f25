import { fileURLToPath } from "node:url";
import { findOnPath } from "@tapthru/local/programs/on-path";
import { skipReason } from "@tapthru/local/testing/skip-tests";
import { execa } from "execa";
import type { Scenario } from "k6/options";
import { describe, expect, it } from "vitest";
import { optionsOf, SCENARIO_NAMES } from "./scenarios.ts";

const BOUND = 1_000;

const scriptOf = (name: string) => fileURLToPath(new URL(`../${name}.js`, import.meta.url));

const scenariosOf = (...args: Parameters<typeof optionsOf>): Scenario[] =>
  Object.values(optionsOf(...args).scenarios ?? {});

describe.each(SCENARIO_NAMES)("%s", (name) => {
  it("has a script with valid syntax", async () => {
    await execa(process.execPath, ["--check", scriptOf(name)]);
  });

  it("is accepted by k6", async ({ skip }) => {
    skip(findOnPath("k6") === null, skipReason("k6"));
    const { stdout } = await execa("k6", ["inspect", "--env", "BASE_URL=", scriptOf(name)]);
    const { scenarios, thresholds } = JSON.parse(stdout);
    const { scenarios: ours = {}, thresholds: limits = {} } = optionsOf(name, {});
    expect(Object.keys(scenarios).sort()).toEqual(Object.keys(ours).sort());
    expect(Object.keys(thresholds).sort()).toEqual(Object.keys(limits).sort());
  });

  it("fails on wrong responses", () => {
    expect(optionsOf(name, {}).thresholds).toHaveProperty("checks");
  });

  it("limits the number of virtual users", () => {
    for (const scenario of scenariosOf(name, { RATE: "1000000", PEAK: "1000000" })) {
      const visitors = "maxVUs" in scenario ? scenario.maxVUs : "vus" in scenario && scenario.vus;
      expect(visitors).toBeLessThanOrEqual(BOUND);
    }
  });
});

it.each(SCENARIO_NAMES.filter((name) => name !== "smoke"))(
  "%s uses a constant arrival rate and fails on dropped iterations",
  (name) => {
    // A scenario that starts later sends no load.
    for (const scenario of scenariosOf(name, {}).filter(({ startTime }) => !startTime)) {
      expect(scenario.executor).toMatch(/-arrival-rate$/);
    }
    expect(optionsOf(name, {}).thresholds).toHaveProperty("dropped_iterations");
  },
);

it("reaches the peak within five seconds", () => {
  const [scenario] = scenariosOf("redirect-burst", { PEAK: "3000" });
  expect(scenario).toMatchObject({ stages: [{ target: 3_000, duration: "5s" }, {}] });
});

it("mixes 98 % visits, 1.5 % creates and 0.5 % dashboard sessions", () => {
  const rates = scenariosOf("mixed", { RATE: "1000" }).map((one) => "rate" in one && one.rate);
  expect(rates).toEqual([980, 15, 5]);
});
