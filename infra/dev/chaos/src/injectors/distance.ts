import { startFaultProxy } from "./fault-proxy.ts";

type Server = "postgres" | "queue" | "api";

/** The connections from one region to another: delayed, and cut off together. */
export interface Distance {
  /** The ports through which the servers of the other region are reached. */
  ports: Record<Server, number>;
  /** Holds all data in both directions, as if packets were lost. */
  cut(): void;
  /** Delivers the held data; later data is delayed again. */
  restore(): void;
  stop(): Promise<void>;
}

/** @param delayMs how long each response and each part of the replication takes */
export async function startDistance(
  delayMs: number,
  servers: Record<Server, number>,
): Promise<Distance> {
  const [postgres, queue, api] = await Promise.all([
    startFaultProxy(servers.postgres),
    startFaultProxy(servers.queue),
    startFaultProxy(servers.api),
  ]);
  const proxies = [postgres, queue, api];
  const delay = () => {
    for (const proxy of proxies) proxy.delayResponses(() => delayMs);
  };
  delay();
  return {
    ports: { postgres: postgres.port, queue: queue.port, api: api.port },
    cut() {
      for (const proxy of proxies) proxy.holdAll();
    },
    restore() {
      for (const proxy of proxies) proxy.release();
      delay();
    },
    async stop() {
      await Promise.all(proxies.map((proxy) => proxy.stop()));
    },
  };
}
