import { expect, it } from "vitest";
import { atMost, none, observed } from "./check-result.ts";
import { type Report, resiliencePage, terminalTable } from "./report.ts";

function report(id: `R${number}`, findings = [none("links lost", [])]): Report {
  return {
    row: { id, title: `Title of ${id}`, mustHold: "nothing is lost", done: "Much." },
    findings,
    seed: 7,
    seconds: 61.4,
    date: "2026-07-31",
    machine: "2 cores",
  };
}

function headings(page: string): string[] {
  return page.split("\n").filter((line) => line.startsWith("## "));
}

it("has the rows in the order of their numbers", () => {
  const page = resiliencePage("", [report("R14"), report("R8")]);

  expect(headings(page)).toEqual(["## R8 Title of R8: holds", "## R14 Title of R14: holds"]);
});

it("puts a new report in place of the row's last one, and keeps those of other rows", () => {
  const former = resiliencePage("", [report("R8"), report("R14")]);
  const failed = report("R8", [none("links lost", ["aaaaaaa"])]);

  const page = resiliencePage(former, [failed]);

  expect(headings(page)).toEqual([
    "## R8 Title of R8: does not hold",
    "## R14 Title of R14: holds",
  ]);
  expect(resiliencePage(page, [])).toBe(page);
});

it("shows what was measured, what it must be, and whether it is", () => {
  const page = resiliencePage("", [
    report("R8", [observed("links", 7), none("lost", []), atMost("slowest", 7.123, 5, "s")]),
  ]);

  expect(page).toContain(
    "| links | 7 |  |  |\n| lost | 0 | 0 | ✓ |\n| slowest | 7.12 s | ≤ 5 s | ✗ |",
  );
});

it("prints the same as plain text", () => {
  const failed = report("R8", [observed("links", 7), atMost("slowest", 7.123, 5, "s")]);

  expect(terminalTable(failed)).toBe(
    "R8 Title of R8: DOES NOT HOLD (61 s, seed 7)\n" +
      "    links    7\n" +
      "  ✗ slowest  7.12 s  (must be ≤ 5 s)",
  );
});
