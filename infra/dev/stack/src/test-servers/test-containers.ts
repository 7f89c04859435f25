import { PostgreSqlContainer } from "@testcontainers/postgresql";
import { GenericContainer } from "testcontainers";
import { REDIS } from "../programs/programs.ts";
import type { TestServers } from "./test-embedded.ts";

const POSTGRES_IMAGE = "postgres:17-bookworm";

export async function startTestContainers(): Promise<TestServers> {
  const postgres = await new PostgreSqlContainer(POSTGRES_IMAGE)
    .withCommand(["postgres", "-c", "max_connections=300", "-c", "fsync=off"])
    .start();
  try {
    const redis = await new GenericContainer(REDIS.dockerImage).withExposedPorts(6379).start();
    return {
      databaseUrl: postgres.getConnectionUri(),
      redisUrl: `redis://${redis.getHost()}:${redis.getMappedPort(6379)}`,
      async stop() {
        await Promise.all([postgres.stop(), redis.stop()]);
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
