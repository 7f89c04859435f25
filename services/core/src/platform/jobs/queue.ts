import type { JobDefinition } from "@tapthru/proto/jobs/definition";
import { type JobsOptions, Queue } from "bullmq";
import * as z from "zod/mini";
import type { Logger } from "../logger.ts";
import type { RedisClient } from "../redis/client.ts";
import { isRedisUnavailable } from "../redis/errors.ts";
import type { RequestRedis } from "../redis/redis.ts";

/**
 * Prefix of all keys of the queues in Redis. BullMQ's scripts use several keys of a queue: in a cluster the braces keep them
 * in one slot.
 */
export function queuePrefix({ isCluster }: Pick<RedisClient, "isCluster">): string {
  return isCluster ? "{jobs}" : "jobs";
}

export const JobData = z.object({
  /** Id of the request that caused it; null for scheduled jobs. */
  requestId: z.nullable(z.string()),
  payload: z.unknown(),
});
export type JobData = z.infer<typeof JobData>;

/** Each adds listeners to its connection, so there is one object for each queue. */
const queues = new WeakMap<RedisClient, Map<string, Queue<JobData>>>();

export function openQueue(name: string, connection: RedisClient, logger: Logger): Queue<JobData> {
  const opened = queues.get(connection) ?? new Map<string, Queue<JobData>>();
  queues.set(connection, opened);
  const queue = opened.get(name) ?? createQueue(name, connection, logger);
  opened.set(name, queue);
  return queue;
}

function createQueue(name: string, connection: RedisClient, logger: Logger): Queue<JobData> {
  // Reading the version could fail, and the queue would then be unusable.
  const prefix = queuePrefix(connection);
  const queue = new Queue(name, { connection, prefix, skipVersionCheck: true });
  queue.on("error", (err) => {
    if (!isRedisUnavailable(err)) logger.error({ event: "job_queue_failed", err, job: name }, "job queue failed");
  });
  return queue;
}

/** Number of failed jobs kept for each queue; the oldest are removed first. */
const FAILED_KEPT = 1_000;

/** @param dedupeId while a job with this id is waiting or running, another one is dropped */
export function jobOptions(definition: JobDefinition, dedupeId?: string): JobsOptions {
  return {
    attempts: definition.attempts,
    backoff: { type: "exponential", delay: definition.backoffMs, jitter: 0.5 },
    removeOnComplete: true,
    removeOnFail: { count: FAILED_KEPT },
    // The dedupeId is not the job's id, because a failed job that is kept would block new ones.
    ...(dedupeId === undefined ? {} : { deduplication: { id: dedupeId } }),
  };
}

/** Counts the failed jobs of each queue that has some. @throws RedisUnavailableError */
export async function countFailedJobs(redis: RequestRedis, jobs: readonly string[], logger: Logger) {
  const counts = await redis.run((client) =>
    Promise.all(jobs.map(async (job) => ({ job, count: await openQueue(job, client, logger).getFailedCount() }))),
  );
  return counts.filter(({ count }) => count > 0);
}
