import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { startPostgres, superuserUrl } from "../servers/postgres.ts";
import { startRedis } from "../servers/redis.ts";
import { createStack } from "../stack/stack.ts";
import { createTestRun } from "./test-run.ts";

export interface TestServers {
  databaseUrl: string;
  redisUrl: string;
  stop(): Promise<void>;
}

/** Starts Postgres and Redis on free ports; their data is removed when they stop. */
export async function startEmbeddedServers(redisServer: string): Promise<TestServers> {
  const run = await createTestRun();
  const postgres = {
    dataDir: run.folder,
    port: await freePort(),
    password: randomBytes(16).toString("hex"),
    logFile: join(run.folder, "postgres.log"),
    durable: false,
  };
  const redis = {
    name: "Redis",
    command: redisServer,
    dataDir: run.folder,
    port: await freePort(),
    logFile: join(run.folder, "redis.log"),
    durable: false,
  };
  const stack = createStack(run.ledger);
  // Vitest runs no teardown when it is interrupted.
  process.once("exit", stack.kill);
  const stop = async () => {
    await stack.stop();
    await run.remove();
  };
  try {
    await startPostgres(postgres, stack);
    await startRedis(redis, stack);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    databaseUrl: superuserUrl(postgres),
    redisUrl: `redis://127.0.0.1:${redis.port}`,
    stop,
  };
}
