import { expect, it } from "vitest";
import { LABEL_COLOURS, labelKey, nextColour } from "./labels.ts";

it.each([
  ["Gifts", "GIFTS"],
  ["Straße", "STRASSE"],
  ["Ελλάδος", "ΕΛΛΆΔΟΣ"],
])("gives %s and %s the same key", (a, b) => {
  expect(labelKey(a)).toBe(labelKey(b));
});

it("gives different names different keys", () => {
  expect(labelKey("Gifts")).not.toBe(labelKey("Gift"));
});

it("gives labels that follow each other different colours", () => {
  const colours = LABEL_COLOURS.map((_, count) => nextColour(count));
  expect(new Set(colours).size).toBe(LABEL_COLOURS.length);
  expect(nextColour(LABEL_COLOURS.length)).toBe(nextColour(0));
});
