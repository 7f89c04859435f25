import { rmSync } from "node:fs";
import { join } from "node:path";
import { watchInterruption } from "../stack/interruption.ts";
import { COVERAGE_DIR, renderCoverageTable } from "../test-report/coverage-file.ts";
import { readTestOptions } from "../test-report/options.ts";
import { runPhase, type TestPhase } from "../test-report/phase.ts";
import { sumResults, type TestResults } from "../test-report/results.ts";
import { summaryOf } from "../test-report/summary.ts";
import { countVitestTests, runVitest } from "../test-report/vitest.ts";
import { createTestRun, removeDeadRuns, type TestRun } from "../test-servers/test-run.ts";
import { countBrowserTests, runBrowserTests } from "../test-suites/browser-tests.ts";
import { CHECKS, runChecks } from "../test-suites/checks.ts";
import { printError } from "../user-facing-error.ts";

const interruption = watchInterruption(() => process.exit(130));
process.exitCode = 1;
try {
  const { coverage, failOnSkips } = readTestOptions(process.argv.slice(2));
  rmSync(COVERAGE_DIR, { recursive: true, force: true });
  const total = await runAll(coverage);
  const hasForbiddenSkips = failOnSkips && total.skipped.length > 0;

  if (coverage) console.log(`\n${renderCoverageTable()}`);
  if (hasForbiddenSkips) console.log("\nThis run fails because tests were skipped.");
  console.log(`\n${summaryOf(total)}`);
  const hasPassed = total.failed.length === 0 && !hasForbiddenSkips && !interruption.aborted;
  process.exitCode = hasPassed ? 0 : 1;
} catch (error) {
  printError(error);
}

async function runAll(coverage: boolean): Promise<TestResults> {
  const run = await createTestRun();
  const results: TestResults[] = [];
  try {
    for (const part of createPhases(run, coverage))
      results.push(await runPhase(part, interruption));
  } finally {
    await run.remove();
    await removeDeadRuns();
  }
  return sumResults(results);
}

function createPhases(run: TestRun, coverage: boolean): TestPhase[] {
  const reportFile = join(run.folder, "vitest.json");
  return [
    { title: "Static checks", run: runChecks, countTests: async () => CHECKS.length },
    {
      title: "Unit and service tests",
      run: () => runVitest({ reportFile, args: coverage ? ["--coverage"] : [] }, interruption),
      countTests: countVitestTests,
    },
    {
      title: "Browser tests",
      run: () => runBrowserTests(run, interruption),
      countTests: countBrowserTests,
    },
  ];
}
