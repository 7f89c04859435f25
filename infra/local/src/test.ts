import { join } from "node:path";
import { runBrowserTests } from "./browser-tests.ts";
import { runChecks } from "./checks.ts";
import { brokenOff, type Count, NOTHING, sum } from "./count.ts";
import { watchInterruption } from "./interruption.ts";
import { printError } from "./plain-error.ts";
import { CHECKOUT } from "./settings.ts";
import { runSuite } from "./suite.ts";
import { createTestRun, removeDeadRuns, type TestRun } from "./test-run.ts";

const interruption = watchInterruption(() => process.exit(130));
const run = await createTestRun();
const counts: Count[] = [];
try {
  counts.push(await part("Static checks", runChecks));
  counts.push(await part("Unit and service tests", () => runVitest(run)));
  counts.push(await part("Browser tests", () => runBrowserTests(run, interruption)));
} finally {
  await run.remove();
  await removeDeadRuns();
}

const { passed, failed, mishaps } = sum(counts);
for (const { title, message, isFlaky } of mishaps) {
  console.log(`\n${isFlaky ? "flaky" : "failed"}: ${title}\n${message}`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && !interruption.aborted ? 0 : 1;

/** One part that breaks does not keep the others from running. */
async function part(title: string, work: () => Promise<Count>): Promise<Count> {
  if (interruption.aborted) return NOTHING;
  console.log(`\n${title}`);
  try {
    return await work();
  } catch (error) {
    if (!interruption.aborted) printError(error);
    return brokenOff(title);
  }
}

function runVitest({ folder }: TestRun): Promise<Count> {
  const reportFile = join(folder, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  return runSuite(
    {
      runner: "vitest",
      command: ["vitest", "run", "--retry=1", ...reporters],
      reportFile,
      cwd: CHECKOUT,
    },
    interruption,
  );
}
