import { cpus, loadavg, release, totalmem, type } from "node:os";
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
  const [{ model } = { model: "unknown processor" }, ...others] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const core = HAS_LOAD_CORE ? "the load on a core of its own" : "the load shares its cores";
  const busy = loadavg()[0]?.toFixed(1);
  return `${others.length + 1} cores (${model.trim()}), ${memory} GB, ${type()} ${release()}, Node ${process.versions.node}; ${core}; load average before: ${busy}`;
}
