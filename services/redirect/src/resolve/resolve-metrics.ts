import type { RequestRedis } from "@tapthru/runtime/redis";
import { Gauge, type Registry } from "prom-client";
import type { Resolving } from "./resolving.ts";

type Observed = Pick<Resolving, "memory" | "tail" | "clock">;

/** Shows what a replica keeps, how far it is behind, and whom it can ask. */
export function observeResolving(
  registry: Registry,
  { memory, tail, clock }: Observed,
  redis: Pick<RequestRedis, "isAnswering">,
): void {
  gauge("redirect_cached_links", "Links in this replica's memory", () => memory.links.size);
  gauge(
    "redirect_changes_lag_seconds",
    "Since the last reading of changes that succeeded began; at first since the start",
    () => (performance.now() - tail.roundBeganAt) / 1_000,
  );
  gauge(
    "redirect_clock_ahead_seconds",
    "How far this machine's clock is ahead of Postgres's, by which links expire",
    () => clock.machineAheadMs / 1_000,
  );
  gauge("redirect_redis_answering", "1 while Redis is asked, 0 while it counts as away", () =>
    Number(redis.isAnswering),
  );

  function gauge(name: string, help: string, measure: () => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(measure());
      },
    });
  }
}
