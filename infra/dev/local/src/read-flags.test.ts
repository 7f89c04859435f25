import { describe, expect, it } from "vitest";
import { readFlags } from "./read-flags.ts";

const read = (...args: string[]) => readFlags(args, ["coverage", "fail-on-skips"]);

describe("readFlags", () => {
  it("accepts both flags, and none", () => {
    expect(read("--fail-on-skips", "--coverage")).toEqual({
      coverage: true,
      "fail-on-skips": true,
    });
    expect(read()).toEqual({ coverage: false, "fail-on-skips": false });
  });

  it("names an unknown option", () => {
    const sentence = "Unknown option: --covrage. Known: --coverage, --fail-on-skips.";
    expect(() => read("--coverage", "--covrage")).toThrow(sentence);
  });
});
