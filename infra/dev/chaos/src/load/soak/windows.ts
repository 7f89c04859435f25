import { percentileMs } from "../latency.ts";
import type { GroupFigures, OperationGroup, SoakWindow } from "./soak-load.ts";

const LATE_MS = 1_000;
const MAX_EXAMPLES = 5;

interface Outcome {
  tookMs: number;
  failure: string | null;
}

/** Collects outcomes of operations, and gives their figures at the end of each window. */
export function createWindows() {
  let outcomes = new Map<OperationGroup, Outcome[]>();
  return {
    /** @param failure null if the operation succeeded */
    add(group: OperationGroup, tookMs: number, failure: string | null): void {
      const known = outcomes.get(group);
      if (known) known.push({ tookMs, failure });
      else outcomes.set(group, [{ tookMs, failure }]);
    },
    /** Ends the window, and begins the next one. */
    end(endS: number, pausedMs: number): SoakWindow {
      const failures = [...outcomes.values()].flat().flatMap(({ failure }) => failure ?? []);
      const groups = Object.fromEntries(
        [...outcomes].map(([group, some]) => [group, figuresOf(some)]),
      );
      outcomes = new Map();
      return { endS, pausedMs, groups, failures: failures.slice(0, MAX_EXAMPLES) };
    },
  };
}

function figuresOf(outcomes: readonly Outcome[]): GroupFigures {
  const right = outcomes.filter(({ failure }) => failure === null);
  return {
    operations: outcomes.length,
    failed: outcomes.length - right.length,
    late: right.filter(({ tookMs }) => tookMs > LATE_MS).length,
    p50Ms: percentileMs(right, 0.5),
    p99Ms: percentileMs(right, 0.99),
  };
}
