import { randomBytes } from "node:crypto";
import { join } from "node:path";
import getPort from "get-port";
import { dockerAnswers } from "./docker.ts";
import { findProgram } from "./find-program.ts";
import { startPostgres, superuserUrl } from "./postgres.ts";
import { NGINX, REDIS } from "./programs.ts";
import { startRedis } from "./redis.ts";
import { TOOLS_DIR } from "./settings.ts";
import { createStack } from "./stack.ts";
import { createTestRun } from "./test-run.ts";

interface TestServers {
  databaseUrl: string;
  redisUrl: string;
  stop(): Promise<void>;
}

/**
 * Vitest's global setup. Tests find in the environment:
 * TEST_DATABASE_URL (a superuser's), TEST_REDIS_URL, and the programs TEST_REDIS_SERVER and TEST_NGINX
 * for tests that start and kill servers of their own.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const tools = { toolsDir: TOOLS_DIR, log: console.log };
  process.env.TEST_REDIS_SERVER = await findProgram(REDIS, tools);
  process.env.TEST_NGINX = await findProgram(NGINX, tools);

  const servers =
    givenServers(process.env) ??
    ((await dockerAnswers())
      ? await startContainers()
      : await startEmbedded(process.env.TEST_REDIS_SERVER));
  process.env.TEST_DATABASE_URL = servers.databaseUrl;
  process.env.TEST_REDIS_URL = servers.redisUrl;
  return servers.stop;
}

function givenServers(env: NodeJS.ProcessEnv): TestServers | null {
  const { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl } = env;
  if (databaseUrl === undefined || redisUrl === undefined) return null;
  return { databaseUrl, redisUrl, stop: async () => {} };
}

async function startContainers(): Promise<TestServers> {
  const { startTestContainers } = await import("./test-containers.ts");
  return startTestContainers();
}

async function startEmbedded(redisServer: string): Promise<TestServers> {
  const run = await createTestRun();
  const postgres = {
    dataDir: run.folder,
    port: await getPort(),
    password: randomBytes(16).toString("hex"),
    logFile: join(run.folder, "postgres.log"),
    durable: false,
  };
  const redis = {
    command: redisServer,
    dataDir: run.folder,
    port: await getPort(),
    logFile: join(run.folder, "redis.log"),
    durable: false,
  };
  const stack = createStack(run.ledger);
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
