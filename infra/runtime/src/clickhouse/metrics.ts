import type { Registry } from "prom-client";
import { registerDurations } from "../metrics/durations.ts";
import { registerGauge } from "../metrics/metrics.ts";
import type { ClickHouse } from "./clickhouse.ts";

/** Registers metrics of ClickHouse: availability and latency. */
export function registerClickHouseMetrics(
  registry: Registry,
  clickHouse: Pick<ClickHouse, "isAvailable" | "durations">,
): void {
  registerGauge(
    registry,
    { name: "tapthru_clickhouse_up", help: "1 if ClickHouse responded to the last query" },
    () => Number(clickHouse.isAvailable),
  );
  registerDurations(
    registry,
    {
      name: "tapthru_clickhouse_request_duration_seconds",
      help: "Duration of a query or insert in ClickHouse, by result",
    },
    [clickHouse.durations],
  );
}
