import { loadavg } from "node:os";
import { machine } from "@tapthru/local/processes/machine";
import type { CheckResult } from "./check-result.ts";
import type { FaultCase } from "./fault-case.ts";
import { HAS_LOAD_CORE } from "./testbed/cores.ts";

/** The result of one trial of a row. */
export interface Report {
  row: Pick<FaultCase, "id" | "title" | "mustHold" | "done">;
  findings: readonly CheckResult[];
  seed: number;
  seconds: number;
  /** As "2026-07-31". */
  date: string;
  machine: string;
}

export function holds({ findings }: Pick<Report, "findings">): boolean {
  return findings.every((finding) => finding.holds);
}

export function describeMachine(): string {
  const core = HAS_LOAD_CORE ? "the load on a core of its own" : "the load shares its cores";
  const busy = loadavg()[0]?.toFixed(1);
  return `${machine()}; ${core}; load average before: ${busy}`;
}

export function terminalTable(report: Report): string {
  const { row, findings, seconds, seed } = report;
  const width = Math.max(...findings.map(({ what }) => what.length));
  const verdict = holds(report) ? "holds" : "DOES NOT HOLD";
  const head = `${row.id} ${row.title}: ${verdict} (${Math.round(seconds)} s, seed ${seed})`;
  const lines = findings.map((finding) => {
    const limit = finding.limit === null ? "" : `  (must be ${finding.limit})`;
    return `  ${mark(finding) || " "} ${finding.what.padEnd(width)}  ${finding.measured}${limit}`;
  });
  return [head, ...lines].join("\n");
}

const INTRODUCTION = `# What holds

\`pnpm chaos [rows…]\` starts the whole product with throw-away data, puts it under load, breaks something,
and writes here what came of it. \`--seed\` repeats a trial's random instants and choices.
`;

/** The page with these reports in place of older ones of the same rows; the others stay. */
export function resiliencePage(former: string, reports: readonly Report[]): string {
  const sections = former.split(/^(?=## R\d+ )/m).slice(1);
  const all = [...sections.map((text) => `${text.trimEnd()}\n`), ...reports.map(section)];
  const byNumber = new Map(
    all.map((text) => [Number.parseInt(text.slice("## R".length), 10), text]),
  );
  const sorted = [...byNumber].sort(([a], [b]) => a - b);
  return [INTRODUCTION, ...sorted.map(([, text]) => text)].join("\n");
}

function section(report: Report): string {
  const { row, findings, seed, seconds, date, machine } = report;
  const cells = findings.map((finding) =>
    [finding.what, finding.measured, finding.limit ?? "", mark(finding)].map(cell).join(" | "),
  );
  return `## ${row.id} ${row.title}: ${holds(report) ? "holds" : "does not hold"}

${date}, ${Math.round(seconds)} s, seed ${seed}. ${machine}.

Must hold: ${row.mustHold}.

Done: ${row.done}

| | measured | must be | |
|---|---|---|---|
${cells.map((line) => `| ${line} |`).join("\n")}
`;
}

function mark({ limit, holds }: CheckResult): string {
  if (limit === null) return "";
  return holds ? "✓" : "✗";
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
