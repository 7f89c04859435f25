import { readdirSync, readFileSync } from "node:fs";
import { processTable } from "@tapthru/local/processes/process-table";
import type { CheckResult } from "../check-result.ts";
import type { Testbed } from "../testbed/testbed.ts";
import { adminPort } from "../testbed/testbed-config.ts";
import { metricValue } from "./metrics.ts";
import { atMostPerHour } from "./slope.ts";

export const SERVICES = ["redirect-1", "redirect-2", "api-1", "api-2", "worker-1"] as const;
const SERVERS = ["gateway", "cache Redis", "queue Redis", "Postgres"] as const;
export type Service = (typeof SERVICES)[number];

/** A figure of a process at one moment. */
interface Figure {
  process: string;
  what: keyof typeof LIMITS;
  value: number;
}

export interface ResourceSample {
  atS: number;
  figures: readonly Figure[];
}

/** By how much each figure may grow in an hour; null if it is only reported. */
const LIMITS = {
  "resident memory": { unit: "MB", limit: 30 },
  "heap in use": { unit: "MB", limit: 30 },
  handles: { unit: "", limit: 60 },
  "open files and sockets": { unit: "", limit: 60 },
  "99th percentile of the event loop delay": { unit: "ms", limit: 20 },
  // Postgres and Redis keep what is created.
  "anonymous memory": { unit: "MB", limit: null },
} as const;

const MB = 1e6;

/** Memory, handles and event loop delay of all processes. The delay is that since the sample before. */
export async function sampleResources(
  testbed: Testbed,
  services: readonly Service[],
): Promise<ResourceSample> {
  const figures = await Promise.all(services.map((service) => serviceFigures(testbed, service)));
  const servers = SERVERS.map((server) => serverFigures(testbed, server));
  return { atS: performance.now() / 1_000, figures: [...figures, ...servers].flat() };
}

async function serviceFigures({ config }: Testbed, process: Service): Promise<Figure[]> {
  const response = await fetch(`http://127.0.0.1:${adminPort(config, process)}/metrics`);
  const exposition = await response.text();
  const metric = (name: string) => metricValue(exposition, name, {});
  return [
    { process, what: "resident memory", value: metric("process_resident_memory_bytes") / MB },
    { process, what: "heap in use", value: metric("nodejs_heap_size_used_bytes") / MB },
    { process, what: "handles", value: metric("nodejs_active_handles_total") },
    { process, what: "open files and sockets", value: metric("process_open_fds") },
    {
      process,
      what: "99th percentile of the event loop delay",
      value: metric("nodejs_eventloop_lag_p99_seconds") * 1_000,
    },
  ];
}

/** Of a server with its child processes; none while it does not run. */
function serverFigures({ processes }: Testbed, process: (typeof SERVERS)[number]): Figure[] {
  try {
    const pid = processes.pid(process);
    const children = processTable().filter(({ parent }) => parent === pid);
    const pids = [pid, ...children.map((child) => child.pid)];
    const bytes = pids.map(anonymousBytes).reduce((sum, one) => sum + one, 0);
    const files = pids.map(openFiles).reduce((sum, one) => sum + one, 0);
    return [
      { process, what: "anonymous memory", value: bytes / MB },
      { process, what: "open files and sockets", value: files },
    ];
  } catch {
    return [];
  }
}

function anonymousBytes(pid: number): number {
  const [, kilobytes = "0"] =
    /^RssAnon:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1_024;
}

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Checks that no figure grows. */
export function checkFlat(samples: readonly ResourceSample[]): CheckResult[] {
  const all = samples.flatMap(({ atS, figures }) => figures.map((figure) => ({ atS, ...figure })));
  const series = Map.groupBy(all, ({ process, what }) => `${process}: ${what}`);
  return [...series].map(([label, points]) => {
    const { unit, limit } = LIMITS[(points[0] as Figure).what];
    return atMostPerHour(label, points, limit, unit);
  });
}
