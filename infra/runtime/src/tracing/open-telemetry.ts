import type { IncomingMessage, Server, ServerResponse } from "node:http";
import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { withDeadline } from "../waiting.ts";
import type { Tracing } from "./tracing.ts";

const STOP_WITHIN_MS = 2_000;

/** Loaded only by `start-tracing.ts`. The exporter reads other OTEL_* variables, such as headers, itself. */
export function createTracing({
  service,
  endpoint,
  ratio,
}: {
  service: string;
  endpoint: string;
  ratio: number;
}): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` });
  const sampler = new TraceIdRatioBasedSampler(ratio);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": `tapthru-${service}` }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    // Clients can send a traceparent with the sampled flag: it is ignored.
    sampler: new ParentBasedSampler({ root: sampler, remoteParentSampled: sampler }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const tracer = provider.getTracer("tapthru");

  function runInServerSpan(
    request: IncomingMessage,
    response: ServerResponse,
    work: () => void,
  ): void {
    const { method = "" } = request;
    const parent = propagation.extract(ROOT_CONTEXT, request.headers);
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
    response.once("close", () => {
      span.setAttributes({
        "http.request.method": method,
        "http.response.status_code": response.statusCode,
      });
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(parent, span), work);
  }

  return {
    stop: () =>
      withDeadline(provider.shutdown(), STOP_WITHIN_MS, () => new Error("too late")).catch(
        () => {},
      ),
    traceRequests(server: Server) {
      const emit = server.emit.bind(server);
      server.emit = (event: string, ...args: unknown[]) => {
        if (event !== "request") return emit(event, ...args);
        const [request, response] = args as [IncomingMessage, ServerResponse];
        runInServerSpan(request, response, () => emit(event, ...args));
        return true;
      };
    },
    nameRequest(method, route) {
      trace.getActiveSpan()?.updateName(`${method} ${route}`).setAttribute("http.route", route);
    },
    inSpan(name, traceparent, work) {
      const parent = traceparent === null ? ROOT_CONTEXT : contextOf(traceparent);
      return tracer.startActiveSpan(name, {}, parent, (span) => endAfter(span, work));
    },
    inChildSpan(name, work) {
      if (trace.getActiveSpan() === undefined) return work();
      const kind = SpanKind.CLIENT;
      return tracer.startActiveSpan(name, { kind }, (span) => endAfter(span, work));
    },
    addChildSpan(name, startTime) {
      if (trace.getActiveSpan() === undefined) return;
      tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime }).end();
    },
    traceparent() {
      const carrier: { traceparent?: string } = {};
      propagation.inject(context.active(), carrier);
      return carrier.traceparent ?? null;
    },
    traceId: () => trace.getActiveSpan()?.spanContext().traceId ?? null,
  };
}

function contextOf(traceparent: string): Context {
  return propagation.extract(ROOT_CONTEXT, { traceparent });
}

/** Only the name of an error: its message may contain personal data. */
async function endAfter<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const type = error instanceof Error ? error.constructor.name : typeof error;
    span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
