import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { startTemporarily } from "../processes/start-temporarily.ts";
import { findServerPrograms } from "../programs/find-programs.ts";
import { startPostgres, superuserUrl } from "../servers/postgres.ts";
import { startRedis } from "../servers/redis.ts";
import { nginxOfImage } from "./docker.ts";

/**
 * Vitest's global setup. It starts Postgres and Redis on free ports, unless TEST_DATABASE_URL (with a superuser) and
 * TEST_REDIS_URL name others. It sets these two, and the programs TEST_REDIS_SERVER and TEST_NGINX for tests that start and kill servers.
 * With TEST_IMAGES=on the servers are the oldest that are supported, and nginx is that of the image, all in containers.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const { env } = process;
  const { redisServer, nginx } = await findServerPrograms();
  env.TEST_REDIS_SERVER = redisServer;
  const usesImages = env.TEST_IMAGES === "on";
  env.TEST_NGINX = usesImages ? await nginxOfImage() : nginx;

  const areConfigured = env.TEST_DATABASE_URL && env.TEST_REDIS_URL;
  const servers = areConfigured
    ? null
    : usesImages
      ? await (await import("./containers.ts")).startContainers()
      : await startServers(redisServer);
  if (servers) Object.assign(env, servers.urls);
  return async () => {
    await servers?.stop();
  };
}

function startServers(redisServer: string) {
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
    const TEST_REDIS_URL = `redis://127.0.0.1:${redis.port}`;
    return { urls: { TEST_DATABASE_URL: superuserUrl(postgres), TEST_REDIS_URL } };
  });
}
