import { GenericContainer, Wait } from "testcontainers";
import { OLDEST_IMAGES } from "../programs/docker.ts";

/** Starts Postgres and Redis in containers, for the tests of one run. */
export async function startContainers() {
  const password = "tests-only";
  const [postgres, redis] = await Promise.all([
    new GenericContainer(OLDEST_IMAGES.postgres)
      .withEnvironment({ POSTGRES_PASSWORD: password })
      .withCommand(["postgres", "-c", "max_connections=300", "-c", "fsync=off"])
      .withTmpFs({ "/var/lib/postgresql/data": "rw" })
      .withExposedPorts(5432)
      // It starts twice: the first time without the network, to create the database.
      .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
      .start(),
    new GenericContainer(OLDEST_IMAGES.redis).withExposedPorts(6379).start(),
  ]);
  return {
    urls: {
      TEST_DATABASE_URL: `postgres://postgres:${password}@${postgres.getHost()}:${postgres.getMappedPort(5432)}/postgres`,
      TEST_REDIS_URL: `redis://${redis.getHost()}:${redis.getMappedPort(6379)}`,
    },
    stop: async () => void (await Promise.all([postgres.stop(), redis.stop()])),
  };
}
