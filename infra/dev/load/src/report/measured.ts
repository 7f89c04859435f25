import type { MeasuredCapacity } from "./sizing.ts";

/** Measured on 2026-11-20, one core each; from the section on the redirect in docs/benchmarks.md. */
export const MEASURED_CAPACITY: MeasuredCapacity = {
  // 43,600 from memory with mixed devices, times 0.70 for 10,000,000 links by Zipf's law.
  replica: 30_500,
  // From 20,473 with the redirect on the same core, and 67,486 for the redirect alone.
  gatewayCore: 29_400,
  redisReadShare: 0.44,
  redis: 92_000,
  bytes: 3_700,
  megabytesPerMillionLinks: 453,
};
