import { type Dashboard, errorShare, quantile, requestRate } from "./dashboard.ts";

const GATEWAY = "tapthru_gateway_request_duration_seconds";
const LINK = 'route="/l/:code"';
const CREATE = 'route="/api/generate",method="POST"';

export const OVERVIEW: Dashboard = {
  uid: "tapthru-overview",
  title: "Overview",
  panels: [
    {
      title: "How fast error budgets burn",
      unit: "none",
      note: "1: the budget of 30 days lasts 30 days. It pages above 14.4 over both 5 min and 1 h, or above 6 over both 30 min and 6 h, where at least 10 requests missed the objective.",
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
      title: "Replicas that answer",
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
      title: "Requests answered with 5xx",
      unit: "percentunit",
      queries: [{ expr: errorShare("job"), legend: "{{job}}" }],
    },
    {
      title: "Opening a short link, at the gateway",
      unit: "s",
      queries: [
        { expr: quantile(0.5, "route", LINK, GATEWAY), legend: "half within" },
        { expr: quantile(0.99, "route", LINK, GATEWAY), legend: "99 % within" },
      ],
    },
    {
      title: "Creating a link, at the gateway",
      unit: "s",
      queries: [
        { expr: quantile(0.5, "route", CREATE, GATEWAY), legend: "half within" },
        { expr: quantile(0.99, "route", CREATE, GATEWAY), legend: "99 % within" },
      ],
    },
    {
      title: "Links created without an account",
      unit: "none",
      note: "Requests in a minute, all visitors together, and the budget beyond which they are refused.",
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
      queries: [{ expr: errorShare("route"), legend: "{{route}}" }],
    },
    {
      title: "99 % of requests within, by route",
      unit: "s",
      queries: [{ expr: quantile(0.99, "route"), legend: "{{route}}" }],
    },
    {
      title: "Answers by status",
      unit: "reqps",
      queries: [{ expr: requestRate("job, status"), legend: "{{job}} {{status}}" }],
    },
  ],
};
