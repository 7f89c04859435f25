import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { unreadableValues } from "../unreadable.ts";

/** The scraper adds the service as `job`. @param version the release, the tag of its image */
export function createMetrics(version = "unknown"): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(unreadableValues);
  new Gauge({
    name: "tapthru_build_info",
    help: "Always 1; the labels are the release and the version of Node",
    labelNames: ["version", "node"],
    registers: [registry],
  }).set({ version, node: process.version }, 1);
  exposeEventLoopUse(registry);
  return registry;
}

/** Lag alone does not show saturation: many short tasks cause little lag. */
function exposeEventLoopUse(registry: Registry): void {
  const { eventLoopUtilization } = performance;
  let last = eventLoopUtilization();
  new Counter({
    name: "tapthru_eventloop_busy_seconds_total",
    help: "Time in which the event loop was busy; its rate is the used share of one core",
    registers: [registry],
    collect() {
      const now = eventLoopUtilization();
      this.inc(Math.max(0, (now.active - last.active) / 1_000));
      last = now;
    },
  });
}

export function registerGauge(
  registry: Registry,
  { name, help }: { name: string; help: string },
  measure: () => number,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(measure());
    },
  });
}

/**
 * Counts by a label, from 0 for each value: Prometheus sees no increase in a series that starts with its first count.
 * @returns counts one more of a value
 */
export function registerCounts<Value extends string>(
  registry: Registry,
  { name, help, label = "result" }: { name: string; help: string; label?: string },
  values: readonly Value[],
): (value: Value) => void {
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  for (const value of values) counter.inc({ [label]: value }, 0);
  return (value) => counter.inc({ [label]: value });
}
