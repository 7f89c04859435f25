import { expect, it } from "vitest";
import { metricValue } from "./metrics.ts";

const EXPOSITION = `# HELP jobs_total Jobs by what they came to
# TYPE jobs_total counter
jobs_total{job="scrape-metadata",outcome="done",service="worker"} 3
jobs_total{job="scrape-metadata",outcome="failed",service="worker"} 2
jobs_total{job="sweep-products",outcome="done",service="worker"} 7
jobs_total_seconds 9
nodejs_eventloop_lag_p99_seconds 1.5e-2
`;

it.each([
  ["jobs_total", {}, 12],
  ["jobs_total", { outcome: "done" }, 10],
  ["jobs_total", { job: "scrape-metadata", outcome: "failed" }, 2],
  ["jobs_total", { job: "nobody" }, 0],
  ["nodejs_eventloop_lag_p99_seconds", {}, 0.015],
])("reads %s with %o", (name, labels, value) => {
  expect(metricValue(EXPOSITION, name, labels)).toBe(value);
});
