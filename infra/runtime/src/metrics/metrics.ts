import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";

/**
 * A registry with the process's own figures. Which service they are of the scraper knows, by its `job`.
 * @param version the release, as its image is tagged
 */
export function createMetrics(version = "unknown"): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "tapthru_build_info",
    help: "1; its labels say which release runs, and on which Node",
    labelNames: ["version", "node"],
    registers: [registry],
  }).set({ version, node: process.version }, 1);
  exposeEventLoopUse(registry);
  return registry;
}

/** Lag alone does not say how near a process is to its limit: many short turns lag little. */
function exposeEventLoopUse(registry: Registry): void {
  const { eventLoopUtilization } = performance;
  let last = eventLoopUtilization();
  new Counter({
    name: "tapthru_eventloop_busy_seconds_total",
    help: "Time in which the event loop did not wait for work; its rate is the share of one core that is used up",
    registers: [registry],
    collect() {
      const now = eventLoopUtilization();
      this.inc(Math.max(0, (now.active - last.active) / 1_000));
      last = now;
    },
  });
}

/** Shows what can be measured at any time, whenever somebody looks. */
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
