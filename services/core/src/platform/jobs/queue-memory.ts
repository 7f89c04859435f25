import { Gauge, type Registry } from "prom-client";
import { masterServers } from "../redis/client.ts";
import { isRedisUnavailable } from "../redis/errors.ts";
import type { RequestRedis } from "../redis/redis.ts";

/** Memory of the queues' Redis, in bytes. */
interface QueueMemory {
  used: number;
  max: number;
}

/** Registers the memory of the queues' Redis. The api measures it too, because queues fill while no worker runs. */
export function registerQueueMemory(registry: Registry, queue: Pick<RequestRedis, "run">): void {
  const max = new Gauge({
    name: "tapthru_queue_memory_max_bytes",
    help: "Memory limit of the queues' Redis; 0: no limit",
    registers: [registry],
  });
  new Gauge({
    name: "tapthru_queue_memory_used_bytes",
    help: "Memory used by the queues' Redis",
    registers: [registry],
    async collect() {
      try {
        const infos = await queue.run(async (redis) =>
          Promise.all((await masterServers(redis)).map((server) => server.info("memory"))),
        );
        const memory = fullest(infos);
        this.set(memory.used);
        max.set(memory.max);
      } catch (error) {
        if (!isRedisUnavailable(error)) throw error;
      }
    },
  });
}

/** @param infos the section "memory" of INFO of each server @returns the memory of the one with the largest share in use */
function fullest(infos: readonly string[]): QueueMemory {
  const share = ({ used, max }: QueueMemory) => (max > 0 ? used / max : 0);
  return infos.map(memoryOf).reduce((most, memory) => (share(memory) > share(most) ? memory : most));
}

function memoryOf(info: string): QueueMemory {
  const bytes = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, "m").exec(info)?.[1] ?? 0);
  return { used: bytes("used_memory"), max: bytes("maxmemory") };
}
