import { PostgreSqlContainer } from "@testcontainers/postgresql";
import { GenericContainer } from "testcontainers";
import { REDIS } from "./programs.ts";

const POSTGRES_IMAGE = "postgres:18-bookworm";

export async function startTestContainers() {
  const [postgres, redis] = await Promise.all([
    new PostgreSqlContainer(POSTGRES_IMAGE)
      .withCommand(["postgres", "-c", "max_connections=300", "-c", "fsync=off"])
      .start(),
    new GenericContainer(REDIS.dockerImage).withExposedPorts(6379).start(),
  ]);
  return {
    databaseUrl: postgres.getConnectionUri(),
    redisUrl: `redis://${redis.getHost()}:${redis.getMappedPort(6379)}`,
    async stop() {
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}
