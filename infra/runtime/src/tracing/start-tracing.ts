import type { Component } from "../lifecycle.ts";
import { useTracing } from "./tracing.ts";

export interface TracingSettings {
  /** Where a collector takes OTLP over HTTP; null: no traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: string | null;
  /** The share of all traces that is kept, whoever began them. */
  OTEL_TRACES_SAMPLER_ARG: number;
}

/**
 * Loads OpenTelemetry where a collector is named; without one nothing of it is loaded.
 * @returns what is to be stopped after everything that is traced
 */
export async function startTracing(
  service: string,
  settings: TracingSettings,
): Promise<Component[]> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = settings;
  if (endpoint === null) return [];
  const { createTracing } = await import("./open-telemetry.ts");
  const tracing = createTracing({ service, endpoint, ratio });
  useTracing(tracing);
  return [{ name: "traces", stop: tracing.stop }];
}
