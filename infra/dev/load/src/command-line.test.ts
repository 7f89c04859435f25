import { expect, it } from "vitest";
import { readCommand, readLinks } from "./command-line.ts";

it("accepts scenarios and commands", () => {
  expect(readCommand(["redirect-hot"])).toBe("redirect-hot");
  expect(readCommand(["seed"])).toBe("seed");
});

it("rejects other arguments with a usage message", () => {
  const usage = /^Usage: pnpm load smoke \| .* \| report$/;
  for (const args of [[], ["hot"], ["smoke", "create"]]) {
    expect(() => readCommand(args)).toThrow(usage);
  }
});

it("accepts up to a million links", () => {
  expect(readLinks({})).toBe(1_000);
  expect(readLinks({ LINKS: "1000000" })).toBe(1_000_000);
});

it.each(["0", "0.5", "1000001", "NaN", "many"])("rejects LINKS=%s", (LINKS) => {
  expect(() => readLinks({ LINKS })).toThrow("must be an integer");
});
