import type { Server } from "node:http";

/** Tracing with OpenTelemetry; at most one per process. */
export interface Tracing {
  /** Creates a span for each request of the server, in the trace of its `traceparent`. */
  traceRequests(server: Server): void;
  /** Names the span of the current request. */
  nameRequest(method: string, route: string): void;
  /** A span in the trace of `traceparent`; null starts a new trace. */
  inSpan<T>(name: string, traceparent: string | null, work: () => Promise<T>): Promise<T>;
  /** Runs the work in a child of the current span, or without a span if there is no current one. */
  inChildSpan<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Adds a child of the current span, if there is one, that began at `startTime` in Unix milliseconds and ends now. */
  addChildSpan(name: string, startTime: number): void;
  /** The traceparent header of the current span. */
  traceparent(): string | null;
  /** The id of the current trace, for log records. */
  traceId(): string | null;
  /** Exports pending spans. */
  stop(): Promise<void>;
}

/** Null until tracing is started, and permanently without a collector. */
export let tracing: Tracing | null = null;

export function setTracing(instance: Tracing): void {
  tracing = instance;
}

/** Like `Tracing.inSpan`; without tracing, only runs the work. */
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
