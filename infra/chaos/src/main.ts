import { randomInt } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { watchInterruption } from "@tapthru/local/interruption";
import { CHECKOUT } from "@tapthru/local/settings";
import { holds, type Report } from "./report/report.ts";
import { resiliencePage } from "./report/resilience-page.ts";
import { terminalTable } from "./report/terminal.ts";
import { ROWS } from "./rows/catalogue.ts";
import { runRow } from "./run-row.ts";

const PAGE = join(CHECKOUT, "docs", "resilience.md");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" } },
});
const unknown = positionals.filter((id) => !ROWS.some((row) => row.id === id));
if (unknown.length > 0) {
  console.error(
    `No such row: ${unknown.join(", ")}. There are ${ROWS.map(({ id }) => id).join(", ")}.`,
  );
  process.exit(1);
}

const interruption = watchInterruption(() => process.exit(130));
const rows = positionals.length === 0 ? ROWS : ROWS.filter(({ id }) => positionals.includes(id));
const seed = values.seed === undefined ? randomInt(2 ** 32) : Number(values.seed);
const reports: Report[] = [];
try {
  for (const row of rows) {
    console.log(`\n${row.id} ${row.title} (seed ${seed})`);
    const report = await runRow(row, seed, interruption);
    reports.push(report);
    console.log(terminalTable(report));
  }
} catch (error) {
  if (!interruption.aborted) throw error;
}
writeFileSync(PAGE, resiliencePage(existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "", reports));
process.exitCode = reports.length === rows.length && reports.every(holds) ? 0 : 1;
