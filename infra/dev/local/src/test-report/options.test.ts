import { describe, expect, it } from "vitest";
import { readTestOptions } from "./options.ts";

describe("readTestOptions", () => {
  it("accepts both options, and none", () => {
    const both = { coverage: true, failOnSkips: true };
    expect(readTestOptions(["--fail-on-skips", "--coverage"])).toEqual(both);
    expect(readTestOptions([])).toEqual({ coverage: false, failOnSkips: false });
  });

  it("names an unknown option", () => {
    const sentence = "Unknown option: --covrage. Known: --coverage, --fail-on-skips.";
    expect(() => readTestOptions(["--coverage", "--covrage"])).toThrow(sentence);
  });
});
