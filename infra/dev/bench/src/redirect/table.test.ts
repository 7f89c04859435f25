import { expect, it } from "vitest";
import { comparisonTable } from "./table.ts";

it("has a line for a server that is not installed", () => {
  const rows = comparisonTable(["Kutt"]).split("\n");
  expect(rows.at(-1)).toMatch(/^\| Kutt: not installed \|( {2}\|){9}$/);
  expect(rows.map((row) => row.split("|").length)).toEqual([12, 12, 12]);
});
