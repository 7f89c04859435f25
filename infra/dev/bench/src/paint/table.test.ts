import { expect, it } from "vitest";
import { comparisonTable } from "./table.ts";

const round = (empty: number, home: number) =>
  new Map([
    ["empty page", { largestMs: empty, blockingMs: 40, shift: 0 }],
    ["/", { largestMs: home, blockingMs: 90.4, shift: 0.0012 }],
  ]);

it("compares each page with the first page of the same round by medians", () => {
  const lines = comparisonTable([round(100, 300), round(200, 300), round(100, 200)]).split("\n");
  expect(lines.slice(2)).toEqual([
    "| empty page | 100 ms |  | 40 ms | 0.000 |",
    "| / | 300 ms | 2.00 (1.50 to 3.00) | 90 ms | 0.001 |",
  ]);
});
