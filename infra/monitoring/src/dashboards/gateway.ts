import { counterRate, type Dashboard, quantile, ratio } from "./dashboard.ts";

const REQUESTS = "tapthru_gateway_request_duration_seconds";
const UPSTREAM = "tapthru_gateway_upstream_duration_seconds";
const LINK = 'route="/l/:code"';

export const GATEWAY: Dashboard = {
  uid: "tapthru-gateway",
  title: "Gateway",
  panels: [
    {
      title: "Requests by status",
      unit: "reqps",
      note: "0: the client closed the connection before a response; 499: while it waited for one.",
      queries: [{ expr: counterRate("status", `${REQUESTS}_count`), legend: "{{status}}" }],
    },
    {
      title: "5xx by route",
      unit: "percentunit",
      queries: [
        {
          expr: ratio(
            counterRate("route", `${REQUESTS}_count{status=~"5.."}`),
            counterRate("route", `${REQUESTS}_count`),
          ),
          legend: "{{route}}",
        },
      ],
    },
    {
      title: "Short link duration",
      unit: "s",
      note: "From the first byte read of the request to the last byte sent of the response.",
      queries: [
        { expr: quantile(0.5, "route", LINK, REQUESTS), legend: "p50" },
        { expr: quantile(0.99, "route", LINK, REQUESTS), legend: "p99" },
      ],
    },
    {
      title: "Request duration by route, p99",
      unit: "s",
      queries: [{ expr: quantile(0.99, "route", "", REQUESTS), legend: "{{route}}" }],
    },
    {
      title: "Time spent on services by route, p99",
      unit: "s",
      queries: [{ expr: quantile(0.99, "route", "", UPSTREAM), legend: "{{route}}" }],
    },
    {
      title: "Wait for a replica, p99",
      unit: "s",
      note: "From the gateway's first byte sent until a replica handles the request.",
      queries: [
        { expr: quantile(0.99, "job", "", "tapthru_http_wait_seconds"), legend: "{{job}}" },
      ],
    },
    {
      title: "Requests refused by the gateway",
      unit: "reqps",
      queries: [
        {
          expr: counterRate("route, status", "tapthru_gateway_refusals_total"),
          legend: "{{status}} {{route}}",
        },
      ],
    },
    {
      title: "Retries at a second replica",
      unit: "reqps",
      queries: [
        { expr: counterRate("route", "tapthru_gateway_retries_total"), legend: "{{route}}" },
      ],
    },
    {
      title: "Client connections in use",
      unit: "percentunit",
      note: "The maximum of the last minute, as a share of the limit. A client that waits for a service takes a second connection.",
      queries: [{ expr: "max(tapthru_gateway_connections_ratio)", legend: "share" }],
    },
    {
      title: "Requests missing from these metrics",
      unit: "reqps",
      queries: [
        {
          expr: counterRate("reason", "tapthru_gateway_lost_records_total"),
          legend: "{{reason}}",
        },
      ],
    },
  ],
};
