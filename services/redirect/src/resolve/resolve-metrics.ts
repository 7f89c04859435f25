import { registerGauge } from "@tapthru/runtime/metrics/metrics";
import type { Registry } from "prom-client";
import type { ResolverStack } from "./resolver-stack.ts";

type Observed = Pick<ResolverStack, "memory" | "tail" | "clock">;

/** Shows what a replica keeps, and how far it is behind. */
export function registerResolverMetrics(
  registry: Registry,
  { memory, tail, clock }: Observed,
): void {
  gauge("tapthru_redirect_cache_links", "Links in this replica's memory", () => memory.links.size);
  gauge(
    "tapthru_redirect_cache_bytes",
    "Memory that they take, estimated",
    () => memory.links.bytes,
  );
  gauge(
    "tapthru_redirect_changes_lag_seconds",
    "Since the last reading of changes that succeeded began; at first since the start",
    () => (performance.now() - tail.roundBeganAt) / 1_000,
  );
  gauge(
    "tapthru_redirect_clock_ahead_seconds",
    "How far this machine's clock is ahead of Postgres's, by which links expire",
    () => clock.machineAheadMs / 1_000,
  );

  function gauge(name: string, help: string, measure: () => number): void {
    registerGauge(registry, { name, help }, measure);
  }
}
