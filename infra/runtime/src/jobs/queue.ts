import type { JobDefinition } from "@tapthru/proto/jobs/definition";
import { type JobsOptions, Queue } from "bullmq";
import type { Redis } from "ioredis";
import * as z from "zod/mini";
import type { Logger } from "../logger.ts";
import { isRedisUnavailable } from "../redis/errors.ts";

/** Before every key of the queues in Redis. */
export const QUEUE_PREFIX = "jobs";

/** What lies in Redis for a job. */
export const JobData = z.object({
  /** Of the request that asked for it; null when it came by its schedule. */
  requestId: z.nullable(z.string()),
  /** Of the span in which it was asked for, as W3C writes it; absent where there are no traces. */
  traceparent: z.optional(z.string()),
  /** Parsed again by the job's own schema when it arrives. */
  payload: z.unknown(),
});
export type JobData = z.infer<typeof JobData>;

/** The queue of one job. It never closes the connection it is given. */
export function openQueue(name: string, connection: Redis, logger: Logger): Queue<JobData> {
  // Asking for the version could fail, and then the queue would be of no use for good.
  const queue = new Queue(name, { connection, prefix: QUEUE_PREFIX, skipVersionCheck: true });
  queue.on("error", (err) => {
    if (!isRedisUnavailable(err))
      logger.error({ event: "job_queue_failed", err, job: name }, "job queue failed");
  });
  return queue;
}

/** So many failed jobs of a queue stay to be looked at; the oldest go first. */
const FAILED_KEPT = 1_000;

/** @param dedupeId while a job waits or runs, another of the same id is dropped */
export function jobOptions(definition: JobDefinition, dedupeId?: string): JobsOptions {
  return {
    attempts: definition.attempts,
    backoff: { type: "exponential", delay: definition.backoffMs, jitter: 0.5 },
    removeOnComplete: true,
    removeOnFail: { count: FAILED_KEPT },
    // Not by the job's own id: a failed job that is kept would go on swallowing new ones.
    ...(dedupeId === undefined ? {} : { deduplication: { id: dedupeId } }),
  };
}
