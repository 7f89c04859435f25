import type { Server } from "node:http";

/** Traces by OpenTelemetry; there is one or none in a process. */
export interface Tracing {
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
  /** Sends what was not sent yet. */
  stop(): Promise<void>;
}

/** Null until there are traces, and for good where nobody collects them. */
export let tracing: Tracing | null = null;

export function useTracing(made: Tracing): void {
  tracing = made;
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
