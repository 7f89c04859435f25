import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "@tapthru/local/run-command";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { readCommandLine } from "./command-line.ts";
import { hasPassed, type Report, resiliencePage, terminalTable } from "./report.ts";
import { runFaultCase } from "./run-case.ts";

const PAGE = join(CHECKOUT, "docs", "resilience.md");

await runCommand(async (signal) => {
  signal.addEventListener("abort", () => console.log("Stopping …"));
  const reports: Report[] = [];
  try {
    const { faultCases, seed } = readCommandLine(process.argv.slice(2));
    for (const faultCase of faultCases) {
      const earlierRuns = reports.filter((report) => report.faultCase === faultCase).length;
      const runSeed = seed + earlierRuns;
      console.log(`\n${faultCase.id} ${faultCase.title} (seed ${runSeed})`);
      const report = await runFaultCase(faultCase, runSeed, signal);
      reports.push(report);
      console.log(terminalTable(report));
    }
    return reports.every(hasPassed);
  } finally {
    if (reports.length > 0) {
      writeFileSync(PAGE, resiliencePage(readFileSync(PAGE, "utf8"), reports));
    }
  }
});
