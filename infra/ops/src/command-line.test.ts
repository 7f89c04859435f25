import { resolve } from "node:path";
import { expect, it } from "vitest";
import { readCommand } from "./command-line.ts";

it("takes a verb and a folder", () => {
  expect(readCommand(["backup", "b"])).toEqual({ verb: "backup", folder: resolve("b") });
});

it("says what can be done to whoever asks for something else", () => {
  for (const args of [[], ["backup"], ["dump", "b"], ["restore", "b", "c"]]) {
    expect(() => readCommand(args)).toThrow("pnpm ops backup <folder>");
  }
});
