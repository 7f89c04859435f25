import { loadavg } from "node:os";
import { machineSummary } from "@tapthru/local/processes/machine";
import type { CheckResult } from "./check-result.ts";
import type { FaultCase } from "./fault-case.ts";
import { HAS_LOAD_CORE } from "./testbed/cores.ts";

/** The result of one run of a fault case. */
export interface Report {
  faultCase: Pick<FaultCase, "id" | "title">;
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
  const { faultCase, results, seconds, seed, date, machine } = report;
  const width = Math.max(...results.map(({ label }) => label.length));
  const verdict = hasPassed(report) ? "passed" : "FAILED";
  const head = `${faultCase.id} ${faultCase.title}: ${verdict} (${Math.round(seconds)} s, seed ${seed})`;
  const lines = results.map((result) => {
    const limit = result.limit === null ? "" : `  (limit ${result.limit})`;
    return `  ${mark(result) || " "} ${result.label.padEnd(width)}  ${result.measured}${limit}`;
  });
  return [head, ...lines, `  ${date}. ${machine}.`].join("\n");
}

function mark({ limit, passed }: CheckResult): string {
  if (limit === null) return "";
  return passed ? "✓" : "✗";
}
