import { Counter, type Registry } from "prom-client";
import { type MetadataSource, OUTCOMES } from "./source.ts";

/** Counts the results of requests to a source. */
export function countReadOutcomes(source: MetadataSource, registry: Registry): MetadataSource {
  const reads = new Counter({
    name: "tapthru_metadata_readings_total",
    help: "Page reads by outcome: read, postponed, or the reason of a failure",
    labelNames: ["outcome"] as const,
    registers: [registry],
  });
  // Prometheus sees no increase in a series that starts with its first count.
  for (const outcome of ["read", "postponed", ...OUTCOMES] as const) reads.inc({ outcome }, 0);
  return {
    name: source.name,
    freshForMs: source.freshForMs,
    keepForMs: source.keepForMs,
    async read(page, signal) {
      const result = await source.read(page, signal);
      reads.inc({ outcome: result.kind === "nothing" ? result.outcome : result.kind });
      return result;
    },
  };
}
