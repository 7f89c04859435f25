import { expect, it } from "vitest";
import { metricValue } from "./metrics.ts";

const EXPOSITION = `# HELP tapthru_jobs_total Jobs by outcome
# TYPE tapthru_jobs_total counter
tapthru_jobs_total{queue="scrape-metadata",outcome="done"} 3
tapthru_jobs_total{queue="scrape-metadata",outcome="failed"} 2
tapthru_jobs_total{queue="sweep-products",outcome="done"} 7
tapthru_jobs_total_seconds 9
nodejs_eventloop_lag_p99_seconds 1.5e-2
`;

it.each([
  ["tapthru_jobs_total", {}, 12],
  ["tapthru_jobs_total", { outcome: "done" }, 10],
  ["tapthru_jobs_total", { queue: "scrape-metadata", outcome: "failed" }, 2],
  ["tapthru_jobs_total", { queue: "unknown" }, 0],
  ["nodejs_eventloop_lag_p99_seconds", {}, 0.015],
])("reads %s with %o", (name, labels, value) => {
  expect(metricValue(EXPOSITION, name, labels)).toBe(value);
});
