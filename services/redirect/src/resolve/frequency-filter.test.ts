import { expect, it } from "vitest";
import { FrequencyFilter } from "./frequency-filter.ts";

it("knows a key from its second time on", () => {
  const seen = new FrequencyFilter(4);

  expect(seen.isSecondTime("a")).toBe(false);
  expect(seen.isSecondTime("b")).toBe(false);
  expect(seen.isSecondTime("a")).toBe(true);
  expect(seen.isSecondTime("a")).toBe(true);
});

it("forgets a key once as many newer keys were seen as it may hold", () => {
  const seen = new FrequencyFilter(4);
  for (const key of ["a", "b", "c"]) seen.isSecondTime(key);
  expect(seen.isSecondTime("a")).toBe(true);

  seen.isSecondTime("d");
  expect(seen.isSecondTime("a")).toBe(false);
});
