import type { ChildProcess } from "node:child_process";
import { afterEach, beforeEach } from "vitest";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";
import { startTestMailServer, type TestMailServer } from "./test-mail-server.ts";
import { startTestReceiver, type TestReceiver } from "./test-receiver.ts";
import { createTestRedis, type TestRedis } from "./test-redis.ts";
import { startTestStore, type TestStore } from "./test-store.ts";
import { startWorker, stopWorker } from "./test-worker.ts";

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
