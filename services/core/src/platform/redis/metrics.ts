import { Gauge, type Registry } from "prom-client";
import { registerDurations } from "../metrics/durations.ts";
import type { RequestRedis } from "./redis.ts";

type Observed = Pick<RequestRedis, "role" | "isAvailable" | "durations">;

export function registerRedisMetrics(registry: Registry, clients: readonly Observed[]): void {
  new Gauge({
    name: "tapthru_redis_up",
    help: "1 while Redis is used; 0 while it is unavailable and work is refused at once",
    labelNames: ["redis"],
    registers: [registry],
    collect() {
      for (const { role, isAvailable } of clients) this.set({ redis: role }, Number(isAvailable));
    },
  });
  registerDurations(
    registry,
    {
      name: "tapthru_redis_request_duration_seconds",
      help: "Duration of work on Redis, heartbeats included, by result",
    },
    clients.map(({ durations }) => durations),
  );
}
