import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFlags } from "../read-flags.ts";
import { runCommand } from "../run-command.ts";
import { runBrowserTests } from "../test-suites/browser-tests.ts";
import { runChecks } from "../test-suites/checks.ts";
import { NO_RESULTS, type Results, summaryOf, sumResults } from "../test-suites/results.ts";
import { runVitest } from "../test-suites/runners.ts";
import { printError } from "../user-facing-error.ts";

await runCommand(async (signal) => {
  const flags = readFlags(process.argv.slice(2), ["all", "fail-on-skips"]);
  const folder = await mkdtemp(join(tmpdir(), "tapthru-reports-"));
  const unitTests = {
    title: "Unit and service tests",
    reportFile: join(folder, "vitest.json"),
    ...(flags.all ? { args: ["--coverage"] } : { env: { EVERYDAY_TESTS: "1" } }),
  };
  const faultTests = {
    title: "Fault tests",
    reportFile: join(folder, "faults.json"),
    args: ["--config=infra/dev/faults/vitest.config.ts"],
  };
  const parts: [string, () => Promise<Results>][] = [
    ["Static checks", runChecks],
    [unitTests.title, () => runVitest(unitTests, signal)],
    ["Browser tests", () => runBrowserTests(flags.all, signal)],
  ];
  if (flags.all) parts.push([faultTests.title, () => runVitest(faultTests, signal)]);
  const results: Results[] = [];
  for (const [title, runPart] of parts) {
    if (signal.aborted) break;
    results.push(await runPart().catch((error) => failedPart(title, error)));
  }
  await rm(folder, { recursive: true });

  const total = sumResults(results);
  const hasForbiddenSkips = flags["fail-on-skips"] && total.skipped.length > 0;
  if (hasForbiddenSkips) console.log("\nThis run fails because tests were skipped.");
  console.log(`\n${summaryOf(total)}`);
  return total.failed.length === 0 && !hasForbiddenSkips && !signal.aborted;
});

function failedPart(title: string, error: unknown): Results {
  printError(error);
  return { ...NO_RESULTS, failed: [title] };
}
