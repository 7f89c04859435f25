import { type CheckResult, equals, observed } from "../../check-result.ts";
import { atMostPerHour } from "../../evidence/slope.ts";
import { type OperationGroup, pausedSeconds, type SoakWindow, sumOf } from "./soak-load.ts";

/** By how much latencies may grow in an hour. */
const P50_LIMIT_MS = 5;
const P99_LIMIT_MS = 50;
const MAX_EXAMPLES = 5;

/** Checks that no operation of a group failed. @param what such as "visits" */
export function checkOperations(
  what: string,
  windows: readonly SoakWindow[],
  group: OperationGroup,
): CheckResult[] {
  return [
    observed(what, sumOf(windows, group, "operations")),
    equals(`${what}: failed`, sumOf(windows, group, "failed"), 0),
    observed(`${what}: correct, but after over a second`, sumOf(windows, group, "late")),
  ];
}

/** The load, and how long its generator could not send it. */
export function describeLoad(
  { capacity, perSecond }: { capacity: number; perSecond: number },
  windows: readonly SoakWindow[],
): CheckResult[] {
  return [
    observed("capacity, operations per second", Math.round(capacity)),
    observed("load, operations per second", Math.round(perSecond)),
    observed("pauses of the load generator (s)", Math.round(pausedSeconds(windows))),
  ];
}

/** Examples of failures, if there are any. */
export function failureExamples(windows: readonly SoakWindow[]): CheckResult[] {
  const examples = new Set(windows.flatMap(({ failures }) => failures));
  if (examples.size === 0) return [];
  return [observed("examples of failures", [...examples].slice(0, MAX_EXAMPLES).join("; "))];
}

/** Checks that latencies do not grow from one window to the next. */
export function checkLatency(
  what: string,
  windows: readonly SoakWindow[],
  group: OperationGroup,
): CheckResult[] {
  const points = (figure: "p50Ms" | "p99Ms") =>
    windows.flatMap(({ endS, groups }) => {
      const value = groups[group]?.[figure] ?? Number.NaN;
      return Number.isNaN(value) ? [] : [{ atS: endS, value }];
    });
  return [
    atMostPerHour(`${what}: 50th percentile`, points("p50Ms"), P50_LIMIT_MS, "ms"),
    atMostPerHour(`${what}: 99th percentile`, points("p99Ms"), P99_LIMIT_MS, "ms"),
  ];
}
