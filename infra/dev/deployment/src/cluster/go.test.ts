import { expect, it } from "vitest";
import { goVersionError } from "./go.ts";

it("accepts a Go that can download newer versions", () => {
  expect(goVersionError("go version go1.21.0 linux/amd64")).toBeNull();
  expect(goVersionError("go version go1.26.8 darwin/arm64")).toBeNull();
});

it("reports the required version", () => {
  const required = "pnpm cluster requires Go 1.21 or later on the PATH (https://go.dev/dl)";

  expect(goVersionError(null)).toBe(`${required}; found none.`);
  expect(goVersionError("go version go1.19.8 linux/amd64")).toBe(
    `${required}; found go version go1.19.8 linux/amd64.`,
  );
});
