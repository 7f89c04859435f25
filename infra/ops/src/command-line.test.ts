import { resolve } from "node:path";
import { expect, it } from "vitest";
import { readCommand } from "./command-line.ts";

it("parses an action and a folder", () => {
  expect(readCommand(["backup", "b"])).toEqual({ action: "backup", folder: resolve("b") });
});

it("shows the usage for other arguments", () => {
  for (const args of [[], ["backup"], ["dump", "b"], ["restore", "b", "c"]]) {
    expect(() => readCommand(args)).toThrow("pnpm ops backup <folder>");
  }
});
