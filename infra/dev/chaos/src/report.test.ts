import { expect, it } from "vitest";
import { atMost, observed } from "./check-result.ts";
import { terminalTable } from "./report.ts";

it("shows the measured values, the limits and which check failed", () => {
  const report = {
    faultCase: { id: "R8", title: "Crash of any process" },
    results: [observed("links", 7), atMost("slowest", 7.123, 5, "s")],
    seed: 7,
    seconds: 61.4,
    date: "2026-07-31",
    machine: "2 cores",
  } as const;

  expect(terminalTable(report)).toBe(
    "R8 Crash of any process: FAILED (61 s, seed 7)\n" +
      "    links    7\n" +
      "  ✗ slowest  7.12 s  (limit ≤ 5 s)\n" +
      "  2026-07-31. 2 cores.",
  );
});
