import { rmSync } from "node:fs";
import { join } from "node:path";
import { readFlags } from "../read-flags.ts";
import { runCommand } from "../run-command.ts";
import { COVERAGE_DIR, renderCoverageTable } from "../test-report/coverage-file.ts";
import { runPhase, type TestPhase } from "../test-report/phase.ts";
import { sumResults, type TestResults } from "../test-report/results.ts";
import { countVitestTests, runVitest } from "../test-report/runners.ts";
import { summaryOf } from "../test-report/summary.ts";
import { createTestRun, removeLeftoverRuns, type TestRun } from "../test-servers/test-run.ts";
import { countBrowserTests, runBrowserTests } from "../test-suites/browser-tests.ts";
import { CHECKS, runChecks } from "../test-suites/checks.ts";
import { countContractTests, runOrSkipContractTests } from "../test-suites/contract-tests.ts";

await runCommand(async (signal) => {
  const flags = readFlags(process.argv.slice(2), ["coverage", "fail-on-skips"]);
  rmSync(COVERAGE_DIR, { recursive: true, force: true });
  const total = await runAll(flags.coverage, signal);
  const hasForbiddenSkips = flags["fail-on-skips"] && total.skipped.length > 0;

  if (flags.coverage) console.log(`\n${renderCoverageTable()}`);
  if (hasForbiddenSkips) console.log("\nThis run fails because tests were skipped.");
  console.log(`\n${summaryOf(total)}`);
  return total.failed.length === 0 && !hasForbiddenSkips && !signal.aborted;
});

async function runAll(coverage: boolean, signal: AbortSignal): Promise<TestResults> {
  const run = await createTestRun();
  const results: TestResults[] = [];
  try {
    for (const phase of createPhases(run, coverage, signal))
      results.push(await runPhase(phase, signal));
  } finally {
    await run.remove();
    await removeLeftoverRuns();
  }
  return sumResults(results);
}

function createPhases(run: TestRun, coverage: boolean, signal: AbortSignal): TestPhase[] {
  const reportFile = join(run.folder, "vitest.json");
  return [
    { title: "Static checks", run: runChecks, countTests: async () => CHECKS.length },
    {
      title: "Unit and service tests",
      run: () => runVitest({ reportFile, args: coverage ? ["--coverage"] : [] }, signal),
      countTests: countVitestTests,
    },
    {
      title: "Contract tests",
      run: () => runOrSkipContractTests(signal),
      countTests: countContractTests,
    },
    {
      title: "Browser tests",
      run: () => runBrowserTests(signal),
      countTests: countBrowserTests,
    },
  ];
}
