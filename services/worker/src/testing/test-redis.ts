import { createJobProducer, type JobProducer } from "@tapthru/core/platform/jobs/producer";
import { JobData, openQueue } from "@tapthru/core/platform/jobs/queue";
import { createLogger } from "@tapthru/core/platform/logger";
import { createRedirectStore, type RedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import { createRequestRedis, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { JOBS } from "@tapthru/proto/jobs/catalogue";
import { afterAll, beforeEach } from "vitest";
import * as z from "zod/mini";

export interface TestRedis {
  server: ControlledRedis;
  redis: RequestRedis;
  redirectStore: RedirectStore;
  jobs: JobProducer<typeof JOBS>;
  /** The payloads of the jobs that wait in a queue; those with a priority in the order in which they will run. */
  waiting(name: keyof typeof JOBS): Promise<unknown[]>;
  flush(): Promise<void>;
  remove(): Promise<void>;
}

export async function createTestRedis(): Promise<TestRedis> {
  const server = await startRedis();
  const logger = createLogger({ service: "test", level: "fatal" });
  const redis = createRequestRedis({ url: server.url, name: "test", budgetMs: 5_000, logger });
  await redis.start?.();
  return {
    server,
    redis,
    redirectStore: createRedirectStore(redis, logger),
    jobs: createJobProducer({ jobs: JOBS, redis, logger }),
    async waiting(name) {
      const found = await redis.run((client) =>
        openQueue(name, client, logger).getJobs(["waiting", "prioritized"], 0, -1, true),
      );
      return found.map((job) => z.parse(JobData, job.data).payload);
    },
    async flush() {
      await redis.run((client) => client.flushall());
    },
    async remove() {
      await redis.stop?.();
      await server.remove();
    },
  };
}

export async function useRedis(): Promise<TestRedis> {
  const redis = await createTestRedis();
  afterAll(() => redis.remove());
  beforeEach(() => redis.flush());
  return redis;
}
