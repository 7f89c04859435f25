import { Counter, Gauge, type Registry } from "prom-client";

export interface ApplierMetrics {
  observeApplied(batches: number, rows: number): void;
  /** @param seconds since the oldest batch was added that is not applied; 0 without one */
  setLag(seconds: number): void;
}

export function createApplierMetrics(registry: Registry): ApplierMetrics {
  const registers = [registry];
  const batches = new Counter({
    name: "tapthru_click_batches_applied_total",
    help: "Batches of clicks that were applied to Postgres, repeated ones included",
    registers,
  });
  const rows = new Counter({
    name: "tapthru_click_rows_written_total",
    help: "Rows of clicks that were inserted or updated",
    registers,
  });
  const lag = new Gauge({
    name: "tapthru_click_lag_seconds",
    help: "Age of the oldest batch of clicks in the queue that is not applied yet",
    registers,
  });
  return {
    observeApplied(batchCount, rowCount) {
      batches.inc(batchCount);
      rows.inc(rowCount);
    },
    setLag: (seconds) => lag.set(seconds),
  };
}
