import type { Component } from "../lifecycle.ts";
import { setTracing } from "./tracing.ts";

export interface TracingSettings {
  /** The OTLP over HTTP endpoint of a collector; null: no traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: string | null;
  /** The share of all traces that is kept. */
  OTEL_TRACES_SAMPLER_ARG: number;
}

/**
 * Loads OpenTelemetry if a collector is configured; otherwise none of it is loaded.
 * @returns a component that must stop after all traced components
 */
export async function startTracing(
  service: string,
  settings: TracingSettings,
): Promise<Component[]> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = settings;
  if (endpoint === null) return [];
  const { createTracing } = await import("./open-telemetry.ts");
  const tracing = createTracing({ service, endpoint, ratio });
  setTracing(tracing);
  return [{ name: "traces", stop: tracing.stop }];
}
