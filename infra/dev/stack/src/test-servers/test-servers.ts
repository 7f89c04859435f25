import { isDockerAvailable } from "../programs/docker.ts";
import { findServerPrograms } from "../programs/find-programs.ts";
import { startEmbeddedServers, type TestServers } from "./test-embedded.ts";
import { startTestEmulator } from "./test-emulator.ts";

/**
 * Vitest's global setup. It sets TEST_DATABASE_URL (with a superuser), TEST_REDIS_URL,
 * TEST_FIREBASE_EMULATOR_HOST, and the programs TEST_REDIS_SERVER and TEST_NGINX for tests that start
 * and kill servers.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const { redisServer, nginx } = await findServerPrograms();
  process.env.TEST_REDIS_SERVER = redisServer;
  process.env.TEST_NGINX = nginx;

  const servers =
    configuredServers(process.env) ??
    (await containers()) ??
    (await startEmbeddedServers(redisServer));
  process.env.TEST_DATABASE_URL = servers.databaseUrl;
  process.env.TEST_REDIS_URL = servers.redisUrl;

  const emulator = await startTestEmulator();
  process.env.TEST_FIREBASE_EMULATOR_HOST = emulator.host;
  return async () => {
    await Promise.all([servers.stop(), emulator.stop()]);
  };
}

function configuredServers(env: NodeJS.ProcessEnv): TestServers | null {
  const { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl } = env;
  if (databaseUrl === undefined || redisUrl === undefined) return null;
  return { databaseUrl, redisUrl, stop: async () => {} };
}

/** Null if Docker is unavailable or cannot pull the images. */
async function containers(): Promise<TestServers | null> {
  if (!(await isDockerAvailable())) return null;
  const { startTestContainers } = await import("./test-containers.ts");
  try {
    return await startTestContainers();
  } catch (error) {
    console.log(`Docker failed to start the servers, using the embedded ones: ${error}`);
    return null;
  }
}
