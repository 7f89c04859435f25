import { collectDefaultMetrics, Registry } from "prom-client";

/** A registry with the process's own figures; all its series carry the service's name. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}
