import { expect, it } from "vitest";
import { auditTable } from "./table.ts";

const audit = (score: number, blockingMs: number) => ({
  score,
  firstPaintMs: 900.4,
  largestPaintMs: 1500,
  blockingMs,
  shift: 0.0012,
  scriptBytes: 88_960,
});

it("shows the median of each figure, and the range of the scores", () => {
  const pages = new Map([["/", [audit(97, 30), audit(91, 200), audit(99, 10)]]]);
  expect(auditTable(pages).split("\n").slice(2)).toEqual([
    "| / | 97 (91 to 99) | 900 ms | 1500 ms | 30 ms | 0.001 | 89.0 kB |",
  ]);
});
