import { loadavg } from "node:os";
import { machine } from "@tapthru/local/machine";
import type { Finding } from "../finding.ts";
import type { Row } from "../row.ts";
import { HAS_LOAD_CORE } from "../testbed/cores.ts";

/** What came of one trial of a row. */
export interface Report {
  row: Pick<Row, "id" | "title" | "mustHold" | "done">;
  findings: readonly Finding[];
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
