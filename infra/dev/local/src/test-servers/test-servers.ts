import { isDockerAvailable } from "../programs/docker.ts";
import { findServerPrograms } from "../programs/find-programs.ts";
import { startEmbeddedServers, type TestServers } from "./test-embedded.ts";
import { startTestEmulator } from "./test-emulator.ts";

/**
 * Vitest's global setup. Tests find in the environment:
 * TEST_DATABASE_URL (a superuser's), TEST_REDIS_URL, TEST_FIREBASE_EMULATOR_HOST, and the programs
 * TEST_REDIS_SERVER and TEST_NGINX for tests that start and kill servers of their own.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const { redisServer, nginx } = await findServerPrograms();
  process.env.TEST_REDIS_SERVER = redisServer;
  process.env.TEST_NGINX = nginx;

  const servers =
    givenServers(process.env) ?? (await containers()) ?? (await startEmbeddedServers(redisServer));
  process.env.TEST_DATABASE_URL = servers.databaseUrl;
  process.env.TEST_REDIS_URL = servers.redisUrl;

  const emulator = await startTestEmulator();
  process.env.TEST_FIREBASE_EMULATOR_HOST = emulator.host;
  return async () => {
    await Promise.all([servers.stop(), emulator.stop()]);
  };
}

function givenServers(env: NodeJS.ProcessEnv): TestServers | null {
  const { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl } = env;
  if (databaseUrl === undefined || redisUrl === undefined) return null;
  return { databaseUrl, redisUrl, stop: async () => {} };
}

/** Null where no Docker engine answers, or where it cannot get the images. */
async function containers(): Promise<TestServers | null> {
  if (!(await isDockerAvailable())) return null;
  const { startTestContainers } = await import("./test-containers.ts");
  try {
    return await startTestContainers();
  } catch (error) {
    console.log(`Docker could not bring the servers, using the embedded ones: ${error}`);
    return null;
  }
}
