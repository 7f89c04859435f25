import { CLICK_CLASSES, type ClickClass, NO_CLICKS } from "@tapthru/proto/clicks/keys";
import { Counter, Gauge, type Registry } from "prom-client";

export interface ClickMetrics {
  countClick(clickClass: ClickClass): void;
  /** @param where `memory`: Redis was unavailable for too long; `queue`: the worker was unavailable for too long */
  countDropped(where: "memory" | "queue", clicks: number): void;
}

/** @param unsentAge seconds since the oldest batch that is not in the queue was made; 0 without one */
export function createClickMetrics(registry: Registry, unsentAge: () => number): ClickMetrics {
  const registers = [registry];
  const uncollected = { ...NO_CLICKS };
  new Counter({
    name: "tapthru_clicks_total",
    help: "Counted visits by class",
    labelNames: ["class"] as const,
    registers,
    collect() {
      for (const clickClass of CLICK_CLASSES) {
        this.inc({ class: clickClass }, uncollected[clickClass]);
        uncollected[clickClass] = 0;
      }
    },
  });
  const dropped = new Counter({
    name: "tapthru_clicks_dropped_total",
    help: "Clicks that were dropped, oldest first, because the memory or the queue was full",
    labelNames: ["where"] as const,
    registers,
  });
  for (const where of ["memory", "queue"] as const) dropped.inc({ where }, 0);
  new Gauge({
    name: "tapthru_click_unsent_seconds",
    help: "Age of the oldest batch of clicks that is not in the queue yet",
    registers,
    collect() {
      this.set(unsentAge());
    },
  });
  return {
    countClick(clickClass) {
      uncollected[clickClass]++;
    },
    countDropped: (where, clicks) => dropped.inc({ where }, clicks),
  };
}
