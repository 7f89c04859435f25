import { expect, test } from "vitest";
import { marketplaceName } from "./connected-account.tsx";

test.each([
  ["DE", "Germany, amazon.de"],
  ["US", "United States, amazon.com"],
  ["UK", "United Kingdom, amazon.co.uk"],
  ["NO", "Norway"],
  ["XX-1", "XX-1"],
])("the marketplace of %s is %s", (code, name) => {
  expect(marketplaceName(code)).toBe(name);
});
