import type { ChildProcess } from "node:child_process";
import { afterEach, beforeEach } from "vitest";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";
import { createTestRedis, type TestRedis } from "./test-redis.ts";
import { startTestStore, type TestStore } from "./test-store.ts";
import { startWorker, stopWorker } from "./test-worker.ts";

interface TestServers {
  database: TestDatabase;
  redis: TestRedis;
  store: TestStore;
}

/** Starts servers before each test of a file, and stops them and the workers of the test after it. */
export function useTestWorkers({ heapMb }: { heapMb?: number } = {}) {
  let servers: TestServers;
  const running: ChildProcess[] = [];

  beforeEach(async () => {
    const [database, redis, store] = await Promise.all([createTestDatabase(), createTestRedis(), startTestStore()]);
    servers = { database, redis, store };
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((worker) => stopWorker(worker, "SIGKILL")));
    servers.store.stop();
    await Promise.all([servers.database.drop(), servers.redis.remove()]);
  });

  return {
    servers: () => servers,
    async start(): Promise<ChildProcess> {
      const { database, redis, store } = servers;
      const worker = await startWorker({
        databaseUrl: database.url,
        redisUrl: redis.server.url,
        storeUrl: store.url,
        ...(heapMb !== undefined && { heapMb }),
      });
      running.push(worker);
      return worker;
    },
  };
}
