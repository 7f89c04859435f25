import { registerGauge } from "@tapthru/core/platform/metrics/metrics";
import { createRequestDurations } from "@tapthru/core/platform/metrics/request-durations";
import { Counter, type Registry } from "prom-client";
import { COUNTED_ROUTES } from "../nginx/counted-routes.ts";
import type { GatewayRecord } from "./record.ts";

/** Statuses that are exposed as 0 before the first such response. */
const ERROR_STATUSES = [500, 502, 503, 504];
const CONNECTIONS_PERIOD_MS = 60_000;

export function createGatewayMetrics(registry: Registry): (record: GatewayRecord) => void {
  const requests = createRequestDurations(registry, {
    name: "tapthru_gateway_request_duration_seconds",
    help: "Time from the first byte read of a request to the last byte sent of its response, by route, method and status",
    errors: ERROR_STATUSES,
  });
  const refusals = new Counter({
    name: "tapthru_gateway_refusals_total",
    help: "Requests that the gateway itself rejected with 429 or 5xx; 503: every replica is at its limit of requests or failed within the last 2 s",
    labelNames: ["route", "status"] as const,
    registers: [registry],
  });
  for (const { route, methods } of COUNTED_ROUTES) {
    requests.ofRoute(route, methods);
    for (const status of [429, 503]) refusals.inc({ route, status }, 0);
  }
  let [previousMost, most] = [0, 0];
  setInterval(() => {
    [previousMost, most] = [most, 0];
  }, CONNECTIONS_PERIOD_MS).unref();
  registerGauge(
    registry,
    {
      name: "tapthru_gateway_connections_ratio",
      help: "Client connections in use as a share of those that a gateway can hold: the maximum of the last minute",
    },
    () => Math.max(previousMost, most),
  );

  return (record) => {
    const { route, method, status, seconds, tries } = record;
    requests.ofRoute(route)(method, status).observe(seconds);
    if (tries === 0 && (status === 429 || status >= 500)) refusals.inc({ route, status });
    most = Math.max(most, (record.connections - record.idleConnections) / record.maxConnections);
  };
}
