import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  joinLabels,
  LINKS_CSV_COLUMNS,
  LINKS_CSV_REQUIRED_COLUMNS,
  linkCells,
  readLinkCells,
  splitLabels,
} from "./links-csv.ts";
import { eachOwnerField } from "./owner-fields.ts";

const hostile = fc.string({ unit: fc.constantFrom(..."=+-@'\"\\;,|\t\r\n é🔥\u200Fa1") });
const text = fc.oneof(hostile, fc.string({ unit: "binary" }));
const optionalText = fc.option(text.filter((value) => value !== ""));
const labelName = text.map((name) => name.trim()).filter((name) => name !== "");
const link = fc.record({
  url: text,
  shortCode: text,
  labels: fc.array(labelName, { maxLength: 10 }),
  ...eachOwnerField(() => optionalText),
  expiresAt: fc.option(fc.constant("2026-11-21T10:00:00.000Z")),
});

it("reads exactly the link that was written", () => {
  fc.assert(
    fc.property(link, (written) => {
      const cells = linkCells(written);
      expect(readLinkCells((column) => cells[column])).toEqual(written);
    }),
  );
});

it("writes the columns that an import needs, first and in order", () => {
  expect(LINKS_CSV_COLUMNS.slice(0, 6)).toEqual([...LINKS_CSV_REQUIRED_COLUMNS]);
  const empty = { url: "", shortCode: "", labels: [], ...eachOwnerField(() => null) };
  const written = Object.keys(linkCells(empty));
  expect(LINKS_CSV_COLUMNS).toEqual(expect.arrayContaining(written));
  expect(written).toEqual(expect.arrayContaining([...LINKS_CSV_REQUIRED_COLUMNS]));
});

describe("labels in one cell", () => {
  it.each([
    [["Gifts", "Summer 2026"], "Gifts; Summer 2026"],
    [["a;b", "c\\d"], "a\\;b; c\\\\d"],
    [[], ""],
  ])("%j are %j", (names, cell) => {
    expect(joinLabels(names)).toBe(cell);
    expect(splitLabels(cell)).toEqual(names);
  });

  it("reads labels from text that people typed", () => {
    expect(splitLabels(";Gifts ;;  Toys\\")).toEqual(["Gifts", "Toys\\"]);
  });
});
