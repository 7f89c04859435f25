/** The installation under test, without a trailing slash. */
export const BASE_URL = __ENV.BASE_URL || "http://localhost:8080";

const { RATE, DURATION } = __ENV;

/** 99.99 % of the visits get the right response, 99 % of them within 50 ms. */
export const OPEN = { "http_req_duration{name:open}": ["p(99)<50"], checks: ["rate>0.9999"] };
export const CREATE = { "http_req_duration{name:create}": ["p(99)<500"], checks: ["rate>0.999"] };
export const DASHBOARD = { "http_req_duration{name:list}": ["p(99)<500"], checks: ["rate>0.999"] };

/** k6 shows only those counts of which there is a threshold, which may be empty. 0 means that no response came. */
const STATUSES = [0, 200, 201, 302, 404, 410, 429, 500, 502, 503, 504];
const COUNTS = STATUSES.map((status) => [`http_reqs{status:${status}}`, []]);

/** The thresholds of every run. Without an iteration others would pass; k6 drops an iteration that cannot start in time. */
export const RUN = {
  iterations: ["count>0"],
  dropped_iterations: ["count<1"],
  ...Object.fromEntries(COUNTS),
};

/** Iterations per second, independent of response times: RATE times `share`, or `rate` without RATE, for DURATION. */
export function steady(rate, share = 1) {
  const perSecond = Math.max(1, Math.round((Number(RATE) || rate) * share));
  return {
    executor: "constant-arrival-rate",
    rate: perSecond,
    timeUnit: "1s",
    duration: DURATION || "30s",
    preAllocatedVUs: Math.min(Math.max(perSecond, 10), 200),
    maxVUs: 500,
  };
}

/** Iterations per second that rise to the target of each stage. */
export function rising(stages) {
  return {
    executor: "ramping-arrival-rate",
    startRate: 1,
    timeUnit: "1s",
    stages,
    preAllocatedVUs: 1_000,
    maxVUs: 1_000,
  };
}
