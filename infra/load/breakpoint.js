import { RUN, rising } from "./load.js";

// Visits rise to 20,000 (PEAK) a second within 5 minutes (DURATION). The run ends when responses are late or wrong: the rate
// at that moment is the capacity.
const ends = (threshold) => [{ threshold, abortOnFail: true }];

export const options = {
  scenarios: {
    open: rising([{ target: Number(__ENV.PEAK) || 20_000, duration: __ENV.DURATION || "5m" }]),
  },
  thresholds: {
    ...RUN,
    "http_req_duration{name:open}": ends("p(99)<500"),
    checks: ends("rate>0.99"),
    dropped_iterations: ends("count<100"),
  },
};
export { default, setup, teardown } from "./redirect-hot.js";
