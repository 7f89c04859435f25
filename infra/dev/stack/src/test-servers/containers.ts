import { GenericContainer, Wait } from "testcontainers";
import { OLDEST_IMAGES } from "./docker.ts";

/** Starts Postgres and Redis in containers, for the tests of one run. */
export async function startContainers() {
  const password = "tests-only";
  const [postgres, redis] = await Promise.all([
    new GenericContainer(OLDEST_IMAGES.postgres)
      .withEnvironment({ POSTGRES_PASSWORD: password })
      .withCommand(["postgres", "-c", "max_connections=300", "-c", "fsync=off"])
      .withTmpFs({ "/var/lib/postgresql/data": "rw" })
      .withExposedPorts(5432)
      // Over TCP: it responds on its socket while it creates the database.
      .withHealthCheck({
        test: ["CMD", "pg_isready", "--host=127.0.0.1"],
        interval: 500,
        timeout: 5_000,
        retries: 120,
      })
      .withWaitStrategy(Wait.forHealthCheck())
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
