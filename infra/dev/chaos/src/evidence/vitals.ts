import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import type { ReplicaName, Testbed } from "../testbed/testbed.ts";
import { metricValue } from "./metrics.ts";

/** How a replica of the redirect is at one moment. */
export interface Vitals {
  name: ReplicaName;
  pid: number;
  residentBytes: number;
  /** Used since it started. */
  cpuSeconds: number;
  /** Answers to visitors since it started. */
  answers: number;
  /** Lines in its log. */
  logRecords: number;
}

const REDIRECTS = ["redirect-1", "redirect-2"] as const;

export function readVitals({ processes, places }: Testbed): Promise<Vitals[]> {
  return Promise.all(
    REDIRECTS.map(async (name, index) => {
      const { ports } = index === 0 ? places.first : places.second;
      const answer = await fetch(`http://127.0.0.1:${ports.REDIRECT_ADMIN_PORT}/metrics`);
      const exposition = await answer.text();
      const log = await readFile(join(places.first.logsDir, `${name}.log`), "utf8");
      return {
        name,
        pid: processes.pid(name),
        residentBytes: metricValue(exposition, "process_resident_memory_bytes", {}),
        cpuSeconds: metricValue(exposition, "process_cpu_seconds_total", {}),
        answers: metricValue(exposition, "tapthru_redirects_total", {}),
        logRecords: log.split("\n").length - 1,
      };
    }),
  );
}

export interface VitalsOverTime {
  /** When a baseline was begun, when the fault began, when it was over. */
  begun: readonly Vitals[];
  broken: readonly Vitals[];
  over: readonly Vitals[];
  /** How often a dependency went or came back in between. */
  transitions: number;
}

/** What must hold of every replica, whatever is done to what it depends on. */
export function checkVitals({ begun, broken, over, transitions }: VitalsOverTime): CheckResult[] {
  return over.flatMap((after, index) => {
    const start = begun[index] as Vitals;
    const before = broken[index] as Vitals;
    const { name } = after;
    const cpu = cpuPerAnswer(before, after) / cpuPerAnswer(start, before);
    return [
      none(`${name}: restarts`, after.pid === start.pid ? [] : [`${start.pid}, ${after.pid}`]),
      atMost(
        `${name}: log records in ${transitions} transitions`,
        after.logRecords - before.logRecords,
        2 * transitions,
      ),
      atMost(`${name}: memory against before`, after.residentBytes / before.residentBytes, 1.2),
      observed(`${name}: resident memory (MB)`, Math.round(after.residentBytes / 1e6)),
      atMost(`${name}: CPU per request against before`, cpu, 1.5),
    ];
  });
}

function cpuPerAnswer(from: Vitals, to: Vitals): number {
  return (to.cpuSeconds - from.cpuSeconds) / (to.answers - from.answers);
}
