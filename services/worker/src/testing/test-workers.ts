import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach } from "vitest";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";
import { startTestMailServer, type TestMailServer } from "./test-mail-server.ts";
import { startTestReceiver, TEST_WEBHOOK_KEY, type TestReceiver } from "./test-receiver.ts";
import { createTestRedis, type TestRedis } from "./test-redis.ts";
import { startTestStore, type TestStore } from "./test-store.ts";

export interface TestServers {
  database: TestDatabase;
  redis: TestRedis;
  store: TestStore;
  mailServer: TestMailServer;
  receiver: TestReceiver;
}

/** Starts servers before each test of a file, and stops them and the workers of the test after it. */
export function useTestWorkers() {
  let servers: TestServers;
  const running: ChildProcess[] = [];

  beforeEach(async () => {
    const [database, redis, store, mailServer, receiver] = await Promise.all([
      ...([createTestDatabase(), createTestRedis(), startTestStore()] as const),
      ...([startTestMailServer(), startTestReceiver()] as const),
    ]);
    servers = { database, redis, store, mailServer, receiver };
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((worker) => stopWorker(worker, "SIGKILL")));
    servers.store.stop();
    servers.receiver.stop();
    await Promise.all([servers.database.drop(), servers.redis.remove(), servers.mailServer.stop()]);
  });

  return {
    servers: () => servers,
    /** The worker reads pages from the store, or sends webhooks, once the database has one, to the receiver. */
    async start(heapMb?: number): Promise<ChildProcess> {
      const { database, redis, store, mailServer, receiver } = servers;
      const hasWebhook = (await database.rows("SELECT FROM webhooks")).length > 0;
      const worker = await startWorker({
        databaseUrl: database.url,
        redisUrl: redis.server.url,
        storeUrl: hasWebhook ? receiver.url : store.url,
        mailUrl: mailServer.url,
        ...(heapMb !== undefined && { heapMb }),
      });
      running.push(worker);
      return worker;
    },
  };
}

interface Servers {
  databaseUrl: string;
  redisUrl: string;
  storeUrl: string;
  mailUrl?: string;
  /** Maximum size of the heap. */
  heapMb?: number;
}

/** Starts the worker as a process. Resolves when it is running. */
async function startWorker(servers: Servers): Promise<ChildProcess> {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const heapLimit = servers.heapMb === undefined ? [] : [`--max-old-space-size=${servers.heapMb}`];
  const worker = spawn(process.execPath, [...heapLimit, main], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      TAPTHRU_ENV: "local",
      // Below the ephemeral port range: the system assigns those ports to outgoing connections.
      ADMIN_PORT: String(randomInt(10_000, 32_768)),
      DATABASE_URL: servers.databaseUrl,
      REDIS_CACHE_URL: servers.redisUrl,
      REDIS_QUEUE_URL: servers.redisUrl,
      EGRESS_STAND_IN_URL: servers.storeUrl,
      WEBHOOK_KEYS: TEST_WEBHOOK_KEY,
      ...(servers.mailUrl && { SMTP_URL: servers.mailUrl, SMTP_FROM: "mail@tapthru.example" }),
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
