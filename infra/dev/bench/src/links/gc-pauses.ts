import { median } from "../median.ts";
import type { Inspector } from "../profile/inspector.ts";

/** By Node's constants NODE_PERFORMANCE_GC_*. Incremental marking runs in steps of a few milliseconds. */
const KINDS = new Map([
  [1, "young generation"],
  [4, "whole heap"],
  [8, "incremental marking"],
  [16, "weak callbacks"],
]);

interface Pause {
  kind: number;
  ms: number;
}
/** Node's types lack the detail. */
interface GcEntry {
  detail: { kind: number };
  duration: number;
}
type WithPauses = typeof globalThis & { gcPauses: Pause[] };

/** Starts to record the pauses of the process's garbage collector. */
export async function recordGcPauses(inspector: Inspector): Promise<void> {
  await inspector.run(() => {
    const { PerformanceObserver } = process.getBuiltinModule("node:perf_hooks");
    const global = globalThis as WithPauses;
    global.gcPauses = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { detail, duration: ms } = entry as unknown as GcEntry;
        global.gcPauses.push({ kind: detail.kind, ms });
      }
    }).observe({ entryTypes: ["gc"] });
  });
}

/** The pauses since the last call. */
export function takeGcPauses(inspector: Inspector): Promise<Pause[]> {
  return inspector.run(() => (globalThis as WithPauses).gcPauses.splice(0));
}

/** Number, median and longest pause of each kind, such as "whole heap: 3, 4.1 ms, 5.0 ms". */
export function summarizePauses(pauses: readonly Pause[]): string {
  return [...KINDS]
    .flatMap(([kind, name]) => {
      const times = pauses.filter((pause) => pause.kind === kind).map(({ ms }) => ms);
      if (times.length === 0) return [];
      const [middle, longest] = [median(times), Math.max(...times)].map(
        (ms) => `${ms.toFixed(1)} ms`,
      );
      return `${name}: ${times.length}, ${middle}, ${longest}`;
    })
    .join("; ");
}
