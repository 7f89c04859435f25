import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeFormula, unescapeFormula } from "./csv-cell.ts";

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."'=+-@＝＋－＠\t\r\n \u200B\uFEFF,\"a1") }),
  fc.string({ unit: "binary" }),
);

describe("a harmless cell", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\r\n=1", "'\r\n=1"],
    ["\uFEFF\u200B=1", "'\uFEFF\u200B=1"],
    ["＝1", "'＝1"],
    ["'=1", "''=1"],
    ["'s-Hertogenbosch", "'s-Hertogenbosch"],
    ["Lamp -10%", "Lamp -10%"],
  ])("the harmless cell of %j is %j", (original, cell) => {
    expect(escapeFormula(original)).toBe(cell);
    expect(unescapeFormula(cell)).toBe(original);
  });

  it("a harmless cell never begins like a formula", () => {
    fc.assert(fc.property(text, (original) => !/^\s*[-=+@]|^[\t\r\n]/.test(escapeFormula(original))));
  });

  it("gives exactly the text that it was made of", () => {
    fc.assert(fc.property(text, (original) => unescapeFormula(escapeFormula(original)) === original));
  });
});

it("leaves an apostrophe that a person typed", () => {
  expect(unescapeFormula("'tis")).toBe("'tis");
});
