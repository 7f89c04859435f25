import { describe, expect, it } from "vitest";
import { readFlags } from "./read-flags.ts";

const read = (...args: string[]) => readFlags(args, ["all", "fail-on-skips"]);

describe("readFlags", () => {
  it("accepts both flags, and none", () => {
    expect(read("--fail-on-skips", "--all")).toEqual({
      all: true,
      "fail-on-skips": true,
    });
    expect(read()).toEqual({ all: false, "fail-on-skips": false });
  });

  it("names an unknown option", () => {
    const sentence = "Unknown option: --al. Known: --all, --fail-on-skips.";
    expect(() => read("--all", "--al")).toThrow(sentence);
  });
});
