import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { watchInterruption } from "@tapthru/local/stack/interruption";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { printError } from "@tapthru/local/user-facing-error";
import { readCommandLine } from "./command-line.ts";
import { hasPassed, type Report, resiliencePage, terminalTable } from "./report.ts";
import { runFaultCase } from "./run-case.ts";

const PAGE = join(CHECKOUT, "docs", "resilience.md");

const interruption = watchInterruption(() => process.exit(130));
interruption.addEventListener("abort", () => console.log("Stopping …"));
process.exitCode = 1;
const reports: Report[] = [];
try {
  const { faultCases, seed } = readCommandLine(process.argv.slice(2));
  for (const faultCase of faultCases) {
    console.log(`\n${faultCase.id} ${faultCase.title} (seed ${seed})`);
    const report = await runFaultCase(faultCase, seed, interruption);
    reports.push(report);
    console.log(terminalTable(report));
  }
  if (reports.every(hasPassed)) process.exitCode = 0;
} catch (error) {
  if (!interruption.aborted) printError(error);
} finally {
  if (reports.length > 0) {
    const previous = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
    writeFileSync(PAGE, resiliencePage(previous, reports));
  }
}
