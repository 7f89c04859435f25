import type { Measured } from "./sizing.ts";

/** On 2026-11-20, on one core each: the first four from the chapter on the redirect of docs/benchmarks.md. */
export const MEASURED: Measured = {
  // A phone's page from memory at 36,174, and links of Redis cost 0.68 of those in memory.
  replica: 24_600,
  // 22,010 with the redirect on the same core, which alone answers 58,130.
  gatewayCore: 35_400,
  askRedis: 0.45,
  redis: 100_000,
  bytes: 5_000,
  megabytesPerMillionLinks: 500,
};
