import { counterRate, type Dashboard, quantile, share } from "./dashboard.ts";

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
          expr: share(
            `sum by (route) (rate(${REQUESTS}_count{status=~"5.."}[$__rate_interval]))`,
            counterRate("route", `${REQUESTS}_count`),
          ),
          legend: "{{route}}",
        },
      ],
    },
    {
      title: "What a visitor of a short link waits",
      unit: "s",
      note: "From the first byte read of the request to the last byte sent of the response.",
      queries: [
        { expr: quantile(0.5, "route", LINK, REQUESTS), legend: "half within" },
        { expr: quantile(0.99, "route", LINK, REQUESTS), legend: "99 % within" },
      ],
    },
    {
      title: "99 % within, by route",
      unit: "s",
      queries: [{ expr: quantile(0.99, "route", "", REQUESTS), legend: "{{route}}" }],
    },
    {
      title: "99 % of services' share within, by route",
      unit: "s",
      queries: [{ expr: quantile(0.99, "route", "", UPSTREAM), legend: "{{route}}" }],
    },
    {
      title: "99 % of requests wait for a replica less than",
      unit: "s",
      note: "From when the gateway began to send a request until a replica began to handle it.",
      queries: [
        { expr: quantile(0.99, "job", "", "tapthru_http_wait_seconds"), legend: "{{job}}" },
      ],
    },
    {
      title: "Refused by the gateway itself",
      unit: "reqps",
      queries: [
        {
          expr: counterRate("route, status", "tapthru_gateway_refusals_total"),
          legend: "{{status}} {{route}}",
        },
      ],
    },
    {
      title: "A second replica was asked",
      unit: "reqps",
      queries: [
        { expr: counterRate("route", "tapthru_gateway_retries_total"), legend: "{{route}}" },
      ],
    },
    {
      title: "Connections that clients hold",
      unit: "percentunit",
      note: "The highest share of the last minute. Each client that waits for a service takes a second one.",
      queries: [{ expr: "max(tapthru_gateway_connections_ratio)", legend: "share" }],
    },
    {
      title: "Requests missing in these metrics",
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
