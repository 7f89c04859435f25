import type { JobCatalogue, JobPayload } from "@tapthru/proto/jobs/definition";
import type { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { type JobData, jobOptions, openQueue } from "./job-queue.ts";
import type { Logger } from "./logger.ts";
import type { RequestRedis } from "./redis.ts";
import type { RedisBudget } from "./redis-budget.ts";
import { tracing } from "./tracing.ts";

interface JobOrigin {
  /** Null when no request asked for it. */
  requestId: string | null;
  budget?: RedisBudget;
}

export interface JobProducer<Jobs extends JobCatalogue> {
  /**
   * @throws {RedisAwayError} when it is not known to be queued. It may be all the same, so adding it
   * again must do no harm: by its dedupeId, or by a handler that may run twice.
   */
  add<Name extends keyof Jobs & string>(
    name: Name,
    payload: JobPayload<Jobs[Name]>,
    origin: JobOrigin,
  ): Promise<void>;
}

export function createJobProducer<Jobs extends JobCatalogue>(options: {
  jobs: Jobs;
  redis: RequestRedis;
  logger: Logger;
}): JobProducer<Jobs> {
  const { jobs, redis, logger } = options;
  const queues = new Map<string, Queue<JobData>>();

  function queueOf(name: string, connection: Redis): Queue<JobData> {
    const queue = queues.get(name) ?? openQueue(name, connection, logger);
    queues.set(name, queue);
    return queue;
  }

  return {
    async add(name, payload, { requestId, budget }) {
      const definition: Jobs[typeof name] = jobs[name];
      const jobOpts = jobOptions(definition, definition.dedupeId?.(payload));
      const traceparent = tracing?.traceparent() ?? undefined;
      const data = { requestId, payload, ...(traceparent && { traceparent }) };
      await redis.run((client) => queueOf(name, client).add(name, data, jobOpts), budget);
    },
  };
}
