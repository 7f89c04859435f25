import { Gauge, type Registry } from "prom-client";
import type { Backlog } from "./queries.ts";

export interface RelayMetrics {
  observe(backlog: Backlog): void;
}

export function createRelayMetrics(registry: Registry): RelayMetrics {
  const registers = [registry];
  const pending = new Gauge({
    name: "link_changes_pending",
    help: "Rows of the outbox that were not projected yet",
    registers,
  });
  const lag = new Gauge({
    name: "link_changes_lag_seconds",
    help: "Age of the oldest of them",
    registers,
  });
  return {
    observe(backlog) {
      pending.set(backlog.pending);
      lag.set(backlog.lag);
    },
  };
}
