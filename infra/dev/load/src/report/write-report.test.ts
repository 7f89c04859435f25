import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeReport } from "./write-report.ts";

let summaries: string;
let page: string;
let before: string;
beforeEach(() => {
  summaries = mkdtempSync(join(tmpdir(), "load-"));
  page = join(summaries, "benchmarks.md");
  copyFileSync(join(CHECKOUT, "docs", "benchmarks.md"), page);
  before = readFileSync(page, "utf8");
});
afterEach(() => rmSync(summaries, { recursive: true }));

const SUMMARY = {
  state: { testRunDurationMs: 20_000 },
  metrics: {
    "http_req_duration{name:open}": { values: { count: 77_000, "p(50)": 1, "p(99)": 2 } },
  },
};

function addRun(scenario: string, summary: object = SUMMARY): void {
  writeFileSync(join(summaries, `${scenario}.json`), JSON.stringify(summary));
}

const refusal = (scenarios: string) =>
  new UserFacingError(
    `docs/benchmarks.md is unchanged: it has figures of ${scenarios}, but .data/load has no run of them (pnpm load <name>).`,
  );

it("fails without runs and changes nothing", () => {
  const all = "redirect-hot, redirect-burst, create, dashboard, mixed, breakpoint";
  expect(() => writeReport({ page, summaries })).toThrow(refusal(all));
  addRun("smoke", { ...SUMMARY, metrics: {} });
  expect(() => writeReport({ page, summaries })).toThrow(refusal(all));
  expect(readFileSync(page, "utf8")).toBe(before);
});

it("fails when a scenario of the table has no run, and names it", () => {
  for (const name of ["redirect-hot", "redirect-burst", "create", "dashboard", "mixed"]) {
    addRun(name);
  }
  expect(() => writeReport({ page, summaries })).toThrow(refusal("breakpoint"));
  expect(readFileSync(page, "utf8")).toBe(before);
});

it("replaces the figures of all runs", () => {
  const names = [
    ...["redirect-hot", "redirect-burst", "create", "dashboard"],
    ...["mixed", "breakpoint"],
  ];
  for (const name of names) addRun(name);
  writeReport({ page, summaries });
  const after = readFileSync(page, "utf8");
  for (const name of names) expect(after).toContain(`| ${name} | open | 77,000 | 3850 |`);
  expect(after).toContain("## The redirect");
});
