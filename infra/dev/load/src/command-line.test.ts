import { expect, it } from "vitest";
import { readCommand } from "./command-line.ts";

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
