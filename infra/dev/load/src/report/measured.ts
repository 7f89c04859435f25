import type { Measured } from "./sizing.ts";

/** On 2026-11-20, on a core each. The chapter on the redirect of docs/benchmarks.md has what it is made of. */
export const MEASURED: Measured = {
  // From memory 43,600, devices mixed; links by Zipf's law among 10,000,000 come at 0.70 of that rate.
  replica: 30_500,
  // 20,473 with the redirect on the same core, which alone answers 67,486.
  gatewayCore: 29_400,
  askRedis: 0.44,
  redis: 92_000,
  bytes: 3_700,
  megabytesPerMillionLinks: 453,
};
