import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach } from "vitest";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";
import { createTestRedis, type TestRedis } from "./test-redis.ts";
import { startTestStore, type TestStore } from "./test-store.ts";

export interface TestServers {
  database: TestDatabase;
  redis: TestRedis;
  store: TestStore;
}

export function useTestWorkers() {
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
    /** The worker reads pages from the store. @param heapMb the maximum size of its heap */
    async start(heapMb?: number): Promise<ChildProcess> {
      const worker = await startWorker(servers, heapMb);
      running.push(worker);
      return worker;
    },
  };
}

async function startWorker({ database, redis, store }: TestServers, heapMb?: number): Promise<ChildProcess> {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const heapLimit = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`];
  const worker = spawn(process.execPath, [...heapLimit, main], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      TAPTHRU_ENV: "local",
      // Below the ephemeral port range: the system assigns those ports to outgoing connections.
      ADMIN_PORT: String(randomInt(10_000, 32_768)),
      DATABASE_URL: database.url,
      REDIS_CACHE_URL: redis.server.url,
      REDIS_QUEUE_URL: redis.server.url,
      EGRESS_STAND_IN_URL: store.url,
      // The store counts requests.
      EXCHANGE_RATES: "off",
    },
  });
  const [line] = await once(worker.stdout, "data");
  if (!String(line).includes("worker started")) throw new Error(String(line));
  worker.stdout.resume();
  return worker;
}

/** @returns the exit code; null when it was killed */
export async function stopWorker(worker: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
  if (worker.exitCode !== null || worker.signalCode !== null) return worker.exitCode;
  const exited = once(worker, "exit");
  worker.kill(signal);
  await exited;
  return worker.exitCode;
}
