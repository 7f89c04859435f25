import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { startPostgres, superuserUrl } from "../servers/postgres.ts";
import { startRedis } from "../servers/redis.ts";
import { startTemporarily } from "./start-temporarily.ts";

export interface TestServers {
  databaseUrl: string;
  redisUrl: string;
  stop(): Promise<void>;
}

/** Starts Postgres and Redis on free ports; their data is removed when they stop. */
export function startEmbeddedServers(redisServer: string): Promise<TestServers> {
  return startTemporarily(async (folder, stack) => {
    const shared = { dataDir: folder, durable: false };
    const postgres = {
      ...shared,
      port: await freePort(),
      password: randomBytes(16).toString("hex"),
      logFile: join(folder, "postgres.log"),
    };
    const redis = {
      ...shared,
      name: "Redis",
      command: redisServer,
      port: await freePort(),
      logFile: join(folder, "redis.log"),
    };
    await startPostgres(postgres, stack);
    await startRedis(redis, stack);
    return {
      databaseUrl: superuserUrl(postgres),
      redisUrl: `redis://127.0.0.1:${redis.port}`,
    };
  });
}
