import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { execa } from "execa";
import { expect, it, onTestFinished } from "vitest";
import { CHECKOUT } from "../stack/settings.ts";
import type { TestNote } from "./results.ts";
import { readReport } from "./runner-report.ts";

const REPORTER = join(import.meta.dirname, "vitest-reporter.ts");

const TESTS = `
let tries = 0;
it("adds", () => {});
it("waits", () => { if (tries++ === 0) throw new Error("too late"); });
it("divides", () => { throw new Error("by zero"); });
it.skip("parses", () => {});
describe("a list", () => {
  beforeAll(() => { throw new Error("no list"); });
  it("sorts", () => {});
  it("filters", () => {});
});
describe("promtool", () => {
  beforeEach(({ skip }) => skip("promtool is missing"));
  it("reads", () => {});
});
`;

async function runVitest(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "tapthru-vitest-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const reportFile = join(folder, "report.json");
  await execa(
    "vitest",
    [
      "run",
      `--root=${folder}`,
      "--globals",
      "--retry=1",
      `--reporter=${REPORTER}`,
      `--outputFile=${reportFile}`,
    ],
    { preferLocal: true, localDir: CHECKOUT, reject: false },
  );
  const report = readReport(reportFile);
  /** Titles relative to the folder, messages without the stack trace. */
  const named = (notes: readonly TestNote[] = []) =>
    notes.map(({ title, message }) => {
      const lines = message.split("\n").filter((line) => !line.startsWith("    at "));
      return [title.replace(`${relative(CHECKOUT, folder)}/`, ""), ...lines];
    });
  return { report, named };
}

it("reports failures, flaky tests, and skipped tests with their reasons", async () => {
  const { report, named } = await runVitest({ "a.test.js": TESTS });

  expect(report?.passed).toBe(2);
  expect(named(report?.flaky)).toEqual([["a.test.js › waits", "Error: too late"]]);
  expect(named(report?.skipped)).toEqual([
    ["a.test.js › parses", "no reason given"],
    ["a.test.js › promtool › reads", "promtool is missing"],
  ]);
  expect(named(report?.failed)).toEqual([
    ["a.test.js › divides", "Error: by zero"],
    ["a.test.js › a list", "Error: no list", "Number of its tests that did not run: 2."],
  ]);
});

it("reports a file that cannot be loaded as one failure", async () => {
  const { report, named } = await runVitest({ "b.test.js": 'throw new Error("no b");' });

  expect(report?.passed).toBe(0);
  expect(named(report?.failed)).toEqual([["b.test.js", "Error: no b"]]);
});

it("reports errors outside of the tests separately", async () => {
  const tests = 'it("adds", () => { Promise.reject(new Error("late")); });';
  const { report } = await runVitest({ "c.test.js": tests });

  expect(report).toMatchObject({ passed: 1, failed: [] });
  expect(report?.errors).toEqual([expect.stringMatching(/^Error: late/)]);
});
