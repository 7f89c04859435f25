import { expect, it } from "vitest";
import { FrequencyFilter } from "./frequency-filter.ts";

it("detects a key from its second occurrence on", () => {
  const filter = new FrequencyFilter(4);

  expect(filter.isRepeated("a")).toBe(false);
  expect(filter.isRepeated("b")).toBe(false);
  expect(filter.isRepeated("a")).toBe(true);
  expect(filter.isRepeated("a")).toBe(true);
});

it("drops a key after as many newer keys as it remembers", () => {
  const filter = new FrequencyFilter(4);
  for (const key of ["a", "b", "c"]) filter.isRepeated(key);
  expect(filter.isRepeated("a")).toBe(true);

  filter.isRepeated("d");
  expect(filter.isRepeated("a")).toBe(false);
});
