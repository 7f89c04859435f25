import { expect, it } from "vitest";
import { atMost, none, observed } from "./check-result.ts";
import { type Report, resiliencePage, terminalTable } from "./report.ts";

function report(id: `R${number}`, results = [none("links lost", [])]): Report {
  return {
    faultCase: {
      id,
      title: `Title of ${id}`,
      expected: "nothing is lost",
      procedure: "Processes are killed.",
    },
    results,
    seed: 7,
    seconds: 61.4,
    date: "2026-07-31",
    machine: "2 cores",
  };
}

function headings(page: string): string[] {
  return page.split("\n").filter((line) => line.startsWith("## "));
}

it("sorts the fault cases by number", () => {
  const page = resiliencePage("", [report("R14"), report("R8")]);

  expect(headings(page)).toEqual(["## R8 Title of R8: passed", "## R14 Title of R14: passed"]);
});

it("replaces the earlier report of a fault case, and keeps those of other cases", () => {
  const previous = resiliencePage("", [report("R8"), report("R14")]);
  const failed = report("R8", [none("links lost", ["aaaaaaa"])]);

  const page = resiliencePage(previous, [failed]);

  expect(headings(page)).toEqual(["## R8 Title of R8: failed", "## R14 Title of R14: passed"]);
  expect(resiliencePage(page, [])).toBe(page);
});

it("keeps the introduction, and the section on attacks at the end", () => {
  const introduction = "# Results\n\nHow to repeat them.\n";
  const attacks = "## Attacks\n\nWhat shows that they fail.\n";
  const previous = `${resiliencePage(introduction, [report("R8")])}\n${attacks}`;

  const page = resiliencePage(previous, [report("R14")]);

  expect(headings(page)).toEqual([
    "## R8 Title of R8: passed",
    "## R14 Title of R14: passed",
    "## Attacks",
  ]);
  expect(page.startsWith(`${introduction}\n## R8`)).toBe(true);
  expect(page.endsWith(attacks)).toBe(true);
  expect(resiliencePage(page, [])).toBe(page);
});

it("has one section for two runs of a fault case, which fails if one does", () => {
  const failed = { ...report("R27", [none("links lost", ["aaaaaaa"])]), seed: 8 };

  const page = resiliencePage("", [report("R27"), failed]);

  expect(headings(page)).toEqual(["## R27 Title of R27: failed"]);
  expect(page.match(/seed \d/g)).toEqual(["seed 7", "seed 8"]);
  expect(page.match(/^\| links lost .*$/gm)).toHaveLength(2);
});

it("shows the measured value, the limit and whether the check passed", () => {
  const page = resiliencePage("", [
    report("R8", [observed("links", 7), none("lost", []), atMost("slowest", 7.123, 5, "s")]),
  ]);

  expect(page).toContain(
    "| links | 7 |  |  |\n| lost | 0 | 0 | ✓ |\n| slowest | 7.12 s | ≤ 5 s | ✗ |",
  );
});

it("prints the report as plain text", () => {
  const failed = report("R8", [observed("links", 7), atMost("slowest", 7.123, 5, "s")]);

  expect(terminalTable(failed)).toBe(
    "R8 Title of R8: FAILED (61 s, seed 7)\n" +
      "    links    7\n" +
      "  ✗ slowest  7.12 s  (limit ≤ 5 s)",
  );
});
