import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { watchInterruption } from "@tapthru/local/stack/interruption";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { readCommandLine } from "./command-line.ts";
import { holds, type Report, resiliencePage, terminalTable } from "./report.ts";
import { runRow } from "./run-case.ts";

const PAGE = join(CHECKOUT, "docs", "resilience.md");

const interruption = watchInterruption(() => process.exit(130));
interruption.addEventListener("abort", () => console.log("Stopping …"));
process.exitCode = 1;
const reports: Report[] = [];
try {
  const { rows, seed } = readCommandLine(process.argv.slice(2));
  for (const row of rows) {
    console.log(`\n${row.id} ${row.title} (seed ${seed})`);
    const report = await runRow(row, seed, interruption);
    reports.push(report);
    console.log(terminalTable(report));
  }
  if (reports.every(holds)) process.exitCode = 0;
} catch (error) {
  if (error instanceof UserFacingError) console.error(error.message);
  else if (!interruption.aborted) throw error;
} finally {
  if (reports.length > 0) {
    const former = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
    writeFileSync(PAGE, resiliencePage(former, reports));
  }
}
