import { expect, it } from "vitest";
import { readCommand } from "./command-line.ts";

it("knows every scenario, the seeder and the report", () => {
  expect(readCommand(["redirect-hot"])).toBe("redirect-hot");
  expect(readCommand(["seed"])).toBe("seed");
});

it("says what can be done to whoever asks for something else", () => {
  const usage = /^Say what to do: pnpm load smoke \| .* \| report$/;
  for (const args of [[], ["hot"], ["smoke", "create"]]) {
    expect(() => readCommand(args)).toThrow(usage);
  }
});
