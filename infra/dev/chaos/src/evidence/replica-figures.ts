import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import type { Testbed } from "../testbed/testbed.ts";
import { adminPort, type ReplicaName } from "../testbed/testbed-config.ts";
import { metricValue } from "./metrics.ts";

/** Figures of a redirect replica at one moment. */
export interface ReplicaFigures {
  name: ReplicaName;
  pid: number;
  residentBytes: number;
  /** CPU time used since the start. */
  cpuSeconds: number;
  /** Responses to visitors since it started. */
  responses: number;
  /** Number of records in the log. */
  logRecords: number;
}

const REDIRECT_REPLICAS = ["redirect-1", "redirect-2"] as const;

export function readReplicaFigures({ processes, config }: Testbed): Promise<ReplicaFigures[]> {
  return Promise.all(
    REDIRECT_REPLICAS.map(async (name) => {
      const response = await fetch(`http://127.0.0.1:${adminPort(config, name)}/metrics`);
      const exposition = await response.text();
      const log = await readFile(join(config.first.logsDir, `${name}.log`), "utf8");
      return {
        name,
        pid: processes.pid(name),
        residentBytes: metricValue(exposition, "process_resident_memory_bytes", {}),
        cpuSeconds: metricValue(exposition, "process_cpu_seconds_total", {}),
        responses: metricValue(exposition, "tapthru_redirects_total", {}),
        logRecords: log.split("\n").length - 1,
      };
    }),
  );
}

export interface ReplicaFiguresOverTime {
  /** Figures at the start of the baseline. The next two are from before and after the fault. */
  baseline: readonly ReplicaFigures[];
  beforeFault: readonly ReplicaFigures[];
  afterFault: readonly ReplicaFigures[];
  /** Number of times a dependency became unavailable or available. */
  transitions: number;
}

/** Checks that a fault makes no replica restart, write many log records, or use much more memory or CPU. */
export function checkReplicaFigures({
  baseline,
  beforeFault,
  afterFault,
  transitions,
}: ReplicaFiguresOverTime): CheckResult[] {
  return afterFault.flatMap((after, index) => {
    const start = baseline[index] as ReplicaFigures;
    const before = beforeFault[index] as ReplicaFigures;
    const { name } = after;
    const cpu = cpuPerResponse(before, after) / cpuPerResponse(start, before);
    return [
      none(`${name}: restarts`, after.pid === start.pid ? [] : [`${start.pid}, ${after.pid}`]),
      atMost(
        `${name}: log records in ${transitions} transitions`,
        after.logRecords - before.logRecords,
        2 * transitions,
      ),
      atMost(`${name}: memory, ratio to before`, after.residentBytes / before.residentBytes, 1.2),
      observed(`${name}: resident memory (MB)`, Math.round(after.residentBytes / 1e6)),
      atMost(`${name}: CPU per request, ratio to before`, cpu, 1.5),
    ];
  });
}

function cpuPerResponse(from: ReplicaFigures, to: ReplicaFigures): number {
  return (to.cpuSeconds - from.cpuSeconds) / (to.responses - from.responses);
}
