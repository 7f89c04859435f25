import { Counter, type Registry } from "prom-client";
import { type MetadataSource, OUTCOMES } from "./source.ts";

/** Counts what comes of asking a source. */
export function countReadOutcomes(source: MetadataSource, registry: Registry): MetadataSource {
  const readings = new Counter({
    name: "tapthru_metadata_readings_total",
    help: "Pages whose metadata were asked for: read, postponed, or why nothing was learned",
    labelNames: ["outcome"] as const,
    registers: [registry],
  });
  // Prometheus sees no increase in a series that begins with its first count.
  for (const outcome of ["read", "postponed", ...OUTCOMES] as const) readings.inc({ outcome }, 0);
  return {
    freshForMs: source.freshForMs,
    keepForMs: source.keepForMs,
    async read(page, signal) {
      const reading = await source.read(page, signal);
      readings.inc({ outcome: reading.kind === "nothing" ? reading.outcome : reading.kind });
      return reading;
    },
  };
}
