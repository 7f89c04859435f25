import { runCommand } from "@tapthru/local/run-command";
import { readCommandLine } from "./command-line.ts";
import { hasPassed, type Report, terminalTable } from "./report.ts";
import { runFaultCase } from "./run-case.ts";

await runCommand(async (signal) => {
  signal.addEventListener("abort", () => console.log("Stopping …"));
  const reports: Report[] = [];
  const { faultCases, seed } = readCommandLine(process.argv.slice(2));
  for (const faultCase of faultCases) {
    const earlierRuns = reports.filter((report) => report.faultCase === faultCase).length;
    const runSeed = seed + earlierRuns;
    console.log(`\n${faultCase.id} ${faultCase.title} (seed ${runSeed})`);
    console.log(`Expected: ${faultCase.expected}.\nProcedure: ${faultCase.procedure}`);
    const report = await runFaultCase(faultCase, runSeed, signal);
    reports.push(report);
    console.log(terminalTable(report));
  }
  return reports.every(hasPassed);
});
