import { counterRate, type Dashboard, quantile } from "./dashboard.ts";

const POSTGRES = "tapthru_postgres_request_duration_seconds";
const STATEMENT = "tapthru_postgres_statement_duration_seconds";
const REDIS = "tapthru_redis_request_duration_seconds";

export const DEPENDENCIES: Dashboard = {
  uid: "tapthru-dependencies",
  title: "Postgres and Redis",
  panels: [
    {
      title: "Postgres available",
      unit: "none",
      queries: [{ expr: "min by (job) (tapthru_postgres_up)", legend: "{{job}}" }],
    },
    {
      title: "Redis available",
      unit: "none",
      note: "0: Redis is unavailable, and requests to it fail at once.",
      queries: [{ expr: "min by (job, redis) (tapthru_redis_up)", legend: "{{job}} {{redis}}" }],
    },
    {
      title: "Postgres request duration, p99",
      unit: "s",
      queries: [{ expr: quantile(0.99, "job", "", POSTGRES), legend: "{{job}}" }],
    },
    {
      title: "Redis request duration, p99",
      unit: "s",
      queries: [{ expr: quantile(0.99, "job, redis", "", REDIS), legend: "{{job}} {{redis}}" }],
    },
    {
      title: "Postgres requests by outcome",
      unit: "ops",
      queries: [
        {
          expr: counterRate("job, outcome", `${POSTGRES}_count`),
          legend: "{{job}} {{outcome}}",
        },
      ],
    },
    {
      title: "Redis requests by outcome",
      unit: "ops",
      queries: [
        {
          expr: counterRate("job, redis, outcome", `${REDIS}_count`),
          legend: "{{job}} {{redis}} {{outcome}}",
        },
      ],
    },
    {
      title: "Time of Postgres statements",
      unit: "percentunit",
      note: "The ten functions that keep the most connections busy.",
      queries: [
        {
          expr: `topk(10, ${counterRate("job, statement", `${STATEMENT}_sum`)})`,
          legend: "{{job}} {{statement}}",
        },
      ],
    },
    {
      title: "Postgres statements above 0.5 s",
      unit: "ops",
      queries: [
        {
          expr: `topk(10, ${counterRate("job, statement", `${STATEMENT}_count`)} - ${counterRate("job, statement", `${STATEMENT}_bucket{le="0.5"}`)})`,
          legend: "{{job}} {{statement}}",
        },
      ],
    },
    {
      title: "Connections to Postgres",
      unit: "short",
      queries: [
        {
          expr: "sum by (job, state) (tapthru_postgres_connections)",
          legend: "{{job}} {{state}}",
        },
      ],
    },
    {
      title: "Requests waiting for a Postgres connection",
      unit: "short",
      queries: [{ expr: "sum by (job) (tapthru_postgres_waiting_requests)", legend: "{{job}}" }],
    },
    {
      title: "Requests that an api admits at once",
      unit: "short",
      queries: [
        { expr: "min(tapthru_api_max_requests_in_progress)", legend: "lowest of all apis" },
      ],
    },
  ],
};
