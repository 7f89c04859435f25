import { type Dashboard, errorRatio, quantile, requestRate } from "./dashboard.ts";

const GATEWAY = "tapthru_gateway_request_duration_seconds";
const LINK = 'route="/l/:code"';
const CREATE = 'route="/api/generate",method="POST"';

export const OVERVIEW: Dashboard = {
  uid: "tapthru-overview",
  title: "Overview",
  panels: [
    {
      title: "Error budget burn rate",
      unit: "none",
      note: "At 1 the budget of 30 days lasts 30 days. An alert pages above 14.4 over 5 min and 1 h, or above 6 over 30 min and 6 h, if at least 10 requests missed the objective.",
      queries: [
        {
          expr: "slo:sli_error:ratio_rate5m / on (slo) group_left slo:error_budget:ratio",
          legend: "{{slo}} 5 min",
        },
        {
          expr: "slo:sli_error:ratio_rate1h / on (slo) group_left slo:error_budget:ratio",
          legend: "{{slo}} 1 h",
        },
      ],
    },
    {
      title: "Running replicas",
      unit: "none",
      queries: [
        { expr: 'sum by (job) (up{job=~"tapthru-(api|redirect|worker)"})', legend: "{{job}}" },
      ],
    },
    {
      title: "Requests",
      unit: "reqps",
      queries: [{ expr: requestRate("job"), legend: "{{job}}" }],
    },
    {
      title: "5xx responses",
      unit: "percentunit",
      queries: [{ expr: errorRatio("job"), legend: "{{job}}" }],
    },
    {
      title: "Short link duration at the gateway",
      unit: "s",
      queries: [
        { expr: quantile(0.5, "route", LINK, GATEWAY), legend: "p50" },
        { expr: quantile(0.99, "route", LINK, GATEWAY), legend: "p99" },
      ],
    },
    {
      title: "Link creation duration at the gateway",
      unit: "s",
      queries: [
        { expr: quantile(0.5, "route", CREATE, GATEWAY), legend: "p50" },
        { expr: quantile(0.99, "route", CREATE, GATEWAY), legend: "p99" },
      ],
    },
    {
      title: "Links created without an account",
      unit: "none",
      note: "Requests per minute of all visitors, and the budget above which they are refused.",
      queries: [
        {
          expr: "60 * sum by (outcome) (rate(tapthru_anonymous_creates_total[5m]))",
          legend: "{{outcome}}",
        },
        { expr: "max(tapthru_anonymous_creates_per_minute_max)", legend: "budget" },
      ],
    },
    {
      title: "Requests by route",
      unit: "reqps",
      queries: [{ expr: requestRate("route, method"), legend: "{{method}} {{route}}" }],
    },
    {
      title: "5xx by route",
      unit: "percentunit",
      queries: [{ expr: errorRatio("route"), legend: "{{route}}" }],
    },
    {
      title: "Request duration by route, p99",
      unit: "s",
      queries: [{ expr: quantile(0.99, "route"), legend: "{{route}}" }],
    },
    {
      title: "Responses by status",
      unit: "reqps",
      queries: [{ expr: requestRate("job, status"), legend: "{{job}} {{status}}" }],
    },
  ],
};
