import { expect, it } from "vitest";
import { jobsReport } from "./jobs-report.ts";

const idle = { waiting: 0, running: 0, delayed: 0, failed: [] };

it("has a line for each queue", () => {
  expect(
    jobsReport([
      { ...idle, job: "sweep-products", delayed: 1 },
      { ...idle, job: "purge", waiting: 12, running: 3 },
    ]).split("\n"),
  ).toEqual([
    "                waiting  running  delayed   failed",
    "sweep-products        0        0        1        0",
    "purge                12        3        0        0",
  ]);
});

it("lists each failed job with its payload and its error", () => {
  const failed = [
    {
      id: "7",
      failedAt: 0,
      attempts: 3,
      reason: "Postgres is unavailable",
      payload: { attempt: 0 },
    },
    { id: "5", failedAt: 1, attempts: 1, reason: "no", payload: {} },
  ];
  expect(
    jobsReport([{ ...idle, job: "scrape", failed }])
      .split("\n")
      .slice(2),
  ).toEqual([
    "",
    "Failed scrape:",
    '  7  3 attempts, last at 1970-01-01T00:00:00.000Z: Postgres is unavailable  {"attempt":0}',
    "  5  1 attempt, last at 1970-01-01T00:00:00.001Z: no  {}",
  ]);
});
