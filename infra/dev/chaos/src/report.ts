import { loadavg } from "node:os";
import { machineSummary } from "@tapthru/local/processes/machine";
import type { CheckResult } from "./check-result.ts";
import type { FaultCase } from "./fault-case.ts";
import { HAS_LOAD_CORE } from "./testbed/cores.ts";

/** The result of one run of a fault case. */
export interface Report {
  faultCase: Pick<FaultCase, "id" | "title" | "expected" | "procedure">;
  results: readonly CheckResult[];
  seed: number;
  seconds: number;
  /** Date of the run, such as "2026-07-31". */
  date: string;
  machine: string;
}

export function hasPassed({ results }: Pick<Report, "results">): boolean {
  return results.every((result) => result.passed);
}

export function describeMachine(): string {
  const core = HAS_LOAD_CORE
    ? "the load generator on its own core"
    : "the load generator shares its cores";
  const busy = loadavg()[0]?.toFixed(1);
  return `${machineSummary()}; ${core}; load average before: ${busy}`;
}

export function terminalTable(report: Report): string {
  const { faultCase, results, seconds, seed } = report;
  const width = Math.max(...results.map(({ label }) => label.length));
  const verdict = hasPassed(report) ? "passed" : "FAILED";
  const head = `${faultCase.id} ${faultCase.title}: ${verdict} (${Math.round(seconds)} s, seed ${seed})`;
  const lines = results.map((result) => {
    const limit = result.limit === null ? "" : `  (limit ${result.limit})`;
    return `  ${mark(result) || " "} ${result.label.padEnd(width)}  ${result.measured}${limit}`;
  });
  return [head, ...lines].join("\n");
}

/** Replaces the sections of the reported fault cases in the page; the rest is kept. A section has all runs of a case. */
export function resiliencePage(previous: string, reports: readonly Report[]): string {
  const [cases = "", attacks] = previous.split(/^(?=## Attacks$)/m);
  const [introduction = "", ...sections] = cases.split(/^(?=## R\d+ )/m);
  const runs = Map.groupBy(reports, ({ faultCase }) => faultCase.id).values();
  const all = [...sections.map((text) => `${text.trimEnd()}\n`), ...[...runs].map(section)];
  const byNumber = new Map(
    all.map((text) => [Number.parseInt(text.slice("## R".length), 10), text]),
  );
  const sorted = [...byNumber].sort(([a], [b]) => a - b);
  const parts = [`${introduction.trimEnd()}\n`, ...sorted.map(([, text]) => text)];
  return [...parts, ...(attacks ? [attacks] : [])].join("\n");
}

function section(runs: readonly Report[]): string {
  const [{ faultCase }] = runs as [Report];
  const verdict = runs.every(hasPassed) ? "passed" : "failed";
  const [first, ...later] = runs.map((run) => [circumstances(run), resultsTable(run)]) as [
    string[],
  ];
  const paragraphs = [
    `## ${faultCase.id} ${faultCase.title}: ${verdict}`,
    first[0],
    `Expected: ${faultCase.expected}.`,
    `Procedure: ${faultCase.procedure}`,
    first[1],
    ...later.flat(),
  ];
  return `${paragraphs.join("\n\n")}\n`;
}

function circumstances({ seed, seconds, date, machine }: Report): string {
  return `${date}, ${Math.round(seconds)} s, seed ${seed}. ${machine}.`;
}

/** The results as a table in Markdown. */
export function resultsTable({ results }: Pick<Report, "results">): string {
  const rows = results.map((result) => {
    const cells = [result.label, result.measured, result.limit ?? "", mark(result)];
    return `| ${cells.map(cell).join(" | ")} |`;
  });
  return ["| check | measured | limit | |", "|---|---|---|---|", ...rows].join("\n");
}

function mark({ limit, passed }: CheckResult): string {
  if (limit === null) return "";
  return passed ? "✓" : "✗";
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
