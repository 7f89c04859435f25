import { describe, expect, it } from "vitest";
import { causeOf, firstError, withoutLibraries } from "./error-text.ts";

describe("firstError", () => {
  it.each([
    ["an error with a stack", "\nTypeError: no union\n    at run (a.js:1:2)\n", "no union"],
    ["an error with a code", "Error [ERR_X]: no module\n", "no module"],
    ["colors", "\u001b[31m\u001b[1mError\u001b[22m: no pool\u001b[39m\n", "no pool"],
    ["no error", "Loading …\nKilled\n", "Killed"],
    ["nothing", "", "It printed nothing."],
  ])("finds the cause in output with %s", (_case, output, cause) => {
    expect(firstError(output)).toBe(cause);
  });
});

describe("causeOf", () => {
  it("is the first line of the message", () => {
    expect(causeOf(new Error("Missing: nginx.\nLong help"))).toBe("Missing: nginx.");
  });

  it("accepts a string, and removes its `Error:` prefix", () => {
    expect(causeOf("Error: stopped")).toBe("stopped");
  });
});

describe("withoutLibraries", () => {
  it("keeps the lines of a stack in our own files", () => {
    const stack = "by zero\n    at divide (divide.ts:1:2)\n    at run (node_modules/v/run.js:3:4)";
    expect(withoutLibraries(stack)).toBe("by zero\n    at divide (divide.ts:1:2)");
  });
});
