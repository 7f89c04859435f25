import { Gauge, type Registry } from "prom-client";
import { registerDurations } from "../metrics/durations.ts";
import type { RequestRedis } from "./redis.ts";

type Observed = Pick<RequestRedis, "role" | "isAnswering" | "durations">;

/** Shows whether each Redis is asked at all, and how fast it answers. */
export function registerRedisMetrics(registry: Registry, clients: readonly Observed[]): void {
  new Gauge({
    name: "tapthru_redis_up",
    help: "1 while Redis is asked; 0 while it counts as away and work is refused at once",
    labelNames: ["redis"],
    registers: [registry],
    collect() {
      for (const { role, isAnswering } of clients) this.set({ redis: role }, Number(isAnswering));
    },
  });
  registerDurations(
    registry,
    {
      name: "tapthru_redis_request_duration_seconds",
      help: "A request's work on Redis that was tried, heartbeats included, by what came of it",
    },
    clients.map(({ durations }) => durations),
  );
}
