import { describe, expect, it } from "vitest";
import { readTestOptions } from "./options.ts";

describe("readTestOptions", () => {
  it("takes both options, and none", () => {
    const both = { coverage: true, failOnSkips: true };
    expect(readTestOptions(["--fail-on-skips", "--coverage"])).toEqual(both);
    expect(readTestOptions([])).toEqual({ coverage: false, failOnSkips: false });
  });

  it("names an option that does not exist", () => {
    const sentence = "There is no option --covrage, only --coverage and --fail-on-skips.";
    expect(() => readTestOptions(["--coverage", "--covrage"])).toThrow(sentence);
  });
});
