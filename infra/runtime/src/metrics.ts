import { collectDefaultMetrics, Gauge, Registry } from "prom-client";

/** A registry with the process's own figures. Which service they are of the scraper knows, by its `job`. */
export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Shows what can be measured at any time, whenever somebody looks. */
export function exposeGauge(
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
