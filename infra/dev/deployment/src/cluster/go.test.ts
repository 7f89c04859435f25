import { expect, it } from "vitest";
import { faultOfGo } from "./go.ts";

it("takes a Go that can download a newer one", () => {
  expect(faultOfGo("go version go1.21.0 linux/amd64")).toBeNull();
  expect(faultOfGo("go version go1.26.8 darwin/arm64")).toBeNull();
});

it("says in one sentence which Go is missing", () => {
  const needed = "pnpm cluster needs Go 1.21 or later on the PATH (https://go.dev/dl)";

  expect(faultOfGo(null)).toBe(`${needed}: there is none.`);
  expect(faultOfGo("go version go1.19.8 linux/amd64")).toBe(
    `${needed}: this is go version go1.19.8 linux/amd64.`,
  );
});
