import type { Logger } from "../logger.ts";
import type { RequestRedis } from "../redis/redis.ts";
import { openQueue } from "./queue.ts";

/** Counts the failed jobs of each queue that has some. @throws RedisUnavailableError */
export async function countFailedJobs(redis: RequestRedis, jobs: readonly string[], logger: Logger) {
  const counts = await redis.run((client) =>
    Promise.all(jobs.map(async (job) => ({ job, count: await openQueue(job, client, logger).getFailedCount() }))),
  );
  return counts.filter(({ count }) => count > 0);
}
