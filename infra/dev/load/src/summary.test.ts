import { expect, it } from "vitest";
import { evaluateThresholds, summaryText } from "./summary.ts";

const SUMMARY = {
  state: { testRunDurationMs: 20_000 },
  metrics: {
    http_req_duration: { values: { count: 10_100, "p(50)": 2, "p(99)": 61 } },
    "http_req_duration{name:open}": {
      values: { count: 10_000, "p(50)": 1.5, "p(99)": 61.25 },
      thresholds: { "p(99)<50": { ok: false } },
    },
    checks: { values: { passes: 9_997, fails: 3 }, thresholds: { "rate>0.999": { ok: true } } },
    dropped_iterations: { values: { count: 7 } },
  },
};

it("reports the figures of each kind of request and the crossed thresholds", () => {
  expect(evaluateThresholds(SUMMARY)).toEqual({
    lines: [{ request: "open", count: 10_000, perSecond: 500, p50Ms: 1.5, p99Ms: 61.25 }],
    wrongResponses: 3,
    dropped: 7,
    crossed: ["http_req_duration{name:open}: p(99)<50"],
  });
});

it("prints the verdict", () => {
  expect(summaryText(SUMMARY)).toContain("✗ http_req_duration{name:open}: p(99)<50");
  const { checks } = SUMMARY.metrics;
  expect(summaryText({ ...SUMMARY, metrics: { checks } })).toContain("✓ no threshold crossed");
  expect(summaryText({ ...SUMMARY, metrics: {} })).toContain("✗ no checks ran");
});
