import { readMetric } from "./metrics.ts";
import { sampleWhile } from "./sampling.ts";

const METRIC = "nodejs_eventloop_lag_max_seconds";
const INTERVAL_MS = 500;

/**
 * The longest delay of the event loop of these processes while `work` runs, in seconds. Each sample has the longest one
 * since the sample before; the first one of a process is not used, because it contains the process's start.
 */
export async function longestDelayWhile<T>(
  adminPorts: readonly number[],
  work: () => Promise<T>,
): Promise<[seconds: number, result: T]> {
  const readAll = () =>
    Promise.all(adminPorts.map((port) => readMetric(port, METRIC).catch(() => null)));
  const [samples, result] = await sampleWhile(readAll, work, INTERVAL_MS);
  const delays = samples.flatMap((sample, number) =>
    sample.filter((_, process) => typeof samples[number - 1]?.[process] === "number"),
  );
  return [Math.max(0, ...delays.map((delay) => delay ?? 0)), result];
}
