import { registerGauge } from "@tapthru/core/platform/metrics/metrics";
import type { Registry } from "prom-client";
import type { ResolverStack } from "./resolver-stack.ts";

type ObservedState = Pick<ResolverStack, "memory" | "tail" | "clock">;

/** Gauges of a replica's memory and of its delay in reading changes. */
export function registerResolverMetrics(
  registry: Registry,
  { memory, tail, clock }: ObservedState,
  linkCacheBytes: number,
): void {
  gauge("tapthru_redirect_cache_links", "Links in this replica's memory", () => memory.links.size);
  gauge(
    "tapthru_redirect_cache_bytes",
    "Estimated size of the links in this replica's memory",
    () => memory.links.bytes,
  );
  gauge(
    "tapthru_redirect_cache_max_bytes",
    "LINK_CACHE_BYTES: the maximum size of the links and rendered pages in this replica's memory",
    () => linkCacheBytes,
  );
  gauge(
    "tapthru_redirect_changes_lag_seconds",
    "Time since the start of the last successful read of changes, or since the start of the process",
    () => (performance.now() - tail.lastRoundStartedAt) / 1_000,
  );
  gauge(
    "tapthru_redirect_clock_ahead_seconds",
    "How far this machine's clock is ahead of Postgres's, which decides when links expire",
    () => clock.machineAheadMs / 1_000,
  );

  function gauge(name: string, help: string, measure: () => number): void {
    registerGauge(registry, { name, help }, measure);
  }
}
