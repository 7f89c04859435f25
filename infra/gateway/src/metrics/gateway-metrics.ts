import { registerGauge } from "@tapthru/runtime/metrics/metrics";
import { createRequestDurations } from "@tapthru/runtime/request-durations";
import { Counter, type Registry } from "prom-client";
import { COUNTED_ROUTES } from "../counted-routes.ts";
import { createRecentMaximum } from "./recent-maximum.ts";
import type { GatewayRecord } from "./record.ts";

/** What is shown as 0 before it happens. */
const ERRORS = [500, 502, 503, 504];
const CONNECTIONS_KEPT_MS = 60_000;

/** What visitors got and how long they waited, from the gateway's log. */
export function createGatewayMetrics(registry: Registry): (record: GatewayRecord) => void {
  const requests = createRequestDurations(registry, {
    name: "tapthru_gateway_request_duration_seconds",
    help: "From the first byte read of a request to the last byte sent of its response, by route, method and status",
    errors: ERRORS,
  });
  const upstreams = createRequestDurations(registry, {
    name: "tapthru_gateway_upstream_duration_seconds",
    help: "The share of that which services took, all replicas that were asked together",
    errors: [],
  });
  const registers = [registry];
  const refusals = new Counter({
    name: "tapthru_gateway_refusals_total",
    help: "Requests that the gateway answered with 429 or 5xx without asking any replica",
    labelNames: ["route", "status"] as const,
    registers,
  });
  const retries = new Counter({
    name: "tapthru_gateway_retries_total",
    help: "Requests for which a second replica was asked, as the first did not answer",
    labelNames: ["route"] as const,
    registers,
  });
  for (const { route, methods } of COUNTED_ROUTES) {
    requests.ofRoute(route, methods);
    retries.inc({ route }, 0);
    for (const status of [429, 503]) refusals.inc({ route, status }, 0);
  }
  const connections = createRecentMaximum(CONNECTIONS_KEPT_MS);
  registerGauge(
    registry,
    {
      name: "tapthru_gateway_connections_ratio",
      help: "Open connections of clients by those that a gateway can hold: the highest share of the last minute",
    },
    () => connections.value(Date.now()),
  );

  return (record) => {
    const { route, method, status, seconds, tries } = record;
    requests.ofRoute(route)(method, status).observe(seconds);
    if (tries > 0) upstreams.ofRoute(route)(method, status).observe(record.upstreamSeconds);
    else if (status === 429 || status >= 500) refusals.inc({ route, status });
    if (tries > 1) retries.inc({ route });
    connections.observe(record.connections / record.maxConnections, Date.now());
  };
}
