import type { Server } from "node:http";
import type { Part } from "./lifecycle.ts";

/** Traces by OpenTelemetry; there is one or none in a process. */
export interface Tracing extends Part {
  /** Each request of the server becomes a span, of the trace that its `traceparent` names. */
  traceRequests(server: Server): void;
  /** Names the span of the request that is under way. */
  nameRequest(method: string, route: string): void;
  /** Of the trace that `traceparent` names; null begins one. */
  inSpan<T>(name: string, traceparent: string | null, work: () => Promise<T>): Promise<T>;
  /** Within the span that is under way; where there is none it is not worth one. */
  inChildSpan<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Of the span under way, as the header says it. */
  traceparent(): string | null;
  /** For log records. */
  traceId(): string | null;
}

export interface TracingSettings {
  /** Where a collector takes OTLP over HTTP; null: no traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: string | null;
  /** Of the traces that begin here, the share that is kept. */
  OTEL_TRACES_SAMPLER_ARG: number;
}

/** Null until `startTracing`, and for good where no collector is named. */
export let tracing: Tracing | null = null;

/** Loads OpenTelemetry where a collector is named; without one nothing of it is loaded. */
export async function startTracing(service: string, settings: TracingSettings): Promise<Part[]> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = settings;
  if (endpoint === null) return [];
  const { createTracing } = await import("./open-telemetry.ts");
  tracing = createTracing({ service, endpoint, ratio });
  return [tracing];
}

/** As `Tracing` says; just the work where there are no traces. */
export function inSpan<T>(
  name: string,
  traceparent: string | null,
  work: () => Promise<T>,
): Promise<T> {
  return tracing === null ? work() : tracing.inSpan(name, traceparent, work);
}

export function inChildSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  return tracing === null ? work() : tracing.inChildSpan(name, work);
}
