import { join } from "node:path";
import { parseArgs } from "node:util";
import { runBrowserTests } from "./browser-tests.ts";
import { CHECKS, runChecks } from "./checks.ts";
import { watchInterruption } from "./interruption.ts";
import { runPart, type TestPart } from "./test-report/part.ts";
import { countPlaywrightTests } from "./test-report/playwright.ts";
import { sumResults, type TestResults } from "./test-report/results.ts";
import { summaryOf } from "./test-report/summary.ts";
import { countVitestTests, runVitest } from "./test-report/vitest.ts";
import { createTestRun, removeDeadRuns } from "./test-run.ts";

const { values: options } = parseArgs({ options: { "fail-on-skips": { type: "boolean" } } });
const interruption = watchInterruption(() => process.exit(130));
const run = await createTestRun();

const parts: TestPart[] = [
  { title: "Static checks", run: runChecks, countTests: async () => CHECKS.length },
  {
    title: "Unit and service tests",
    run: () => runVitest({ reportFile: join(run.folder, "vitest.json") }, interruption),
    countTests: countVitestTests,
  },
  {
    title: "Browser tests",
    run: () => runBrowserTests(run, interruption),
    countTests: countPlaywrightTests,
  },
];

const results: TestResults[] = [];
try {
  for (const part of parts) results.push(await runPart(part, interruption));
} finally {
  await run.remove();
  await removeDeadRuns();
}

const total = sumResults(results);
const hasForbiddenSkips = options["fail-on-skips"] && total.skipped.length > 0;
if (hasForbiddenSkips) console.log("\nThis run fails because tests were skipped.");
console.log(`\n${summaryOf(total)}`);
const hasPassed = total.failed.length === 0 && !hasForbiddenSkips && !interruption.aborted;
process.exitCode = hasPassed ? 0 : 1;
