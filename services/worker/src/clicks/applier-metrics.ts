import { Gauge, type Registry } from "prom-client";

export interface ApplierMetrics {
  /** @param seconds since the oldest batch was added that is not applied; 0 without one */
  setLag(seconds: number): void;
}

export function createApplierMetrics(registry: Registry): ApplierMetrics {
  const lag = new Gauge({
    name: "tapthru_click_lag_seconds",
    help: "Age of the oldest batch of clicks in the queue that is not applied yet",
    registers: [registry],
  });
  return { setLag: (seconds) => lag.set(seconds) };
}
