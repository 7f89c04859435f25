import type { JobCatalogue, JobPayload } from "@tapthru/proto/jobs/definition";
import type { Queue } from "bullmq";
import type { Redis } from "ioredis";
import type { Logger } from "../logger.ts";
import type { RedisBudget } from "../redis/budget.ts";
import type { RequestRedis } from "../redis/redis.ts";
import { tracing } from "../tracing/tracing.ts";
import { type JobData, jobOptions, openQueue } from "./queue.ts";

interface JobOrigin {
  /** Null when no request asked for it. */
  requestId: string | null;
  budget?: RedisBudget;
  /** Lower numbers are taken up first, from 1; jobs without one before all others. */
  priority?: number;
}

export interface JobProducer<Jobs extends JobCatalogue> {
  /**
   * @throws {RedisAwayError} when it is not known to be queued. It may be all the same, so adding it
   * again must do no harm: by its dedupeId, or by a handler that may run twice. A waiting job of the same
   * dedupeId moves ahead if this priority is a lower number.
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
    async add(name, payload, { requestId, budget, priority }) {
      const definition: Jobs[typeof name] = jobs[name];
      const jobOpts = jobOptions(definition, definition.dedupeId?.(payload));
      const traceparent = tracing?.traceparent() ?? undefined;
      const data = { requestId, payload, ...(traceparent && { traceparent }) };
      await redis.run(async (client) => {
        const queue = queueOf(name, client);
        const added = await queue.add(name, data, { ...jobOpts, ...(priority && { priority }) });
        if (priority !== undefined) await moveAhead(queue, added.id, priority);
      }, budget);
    },
  };
}

/** The job that was added may be one that was queued before, with its own priority. */
async function moveAhead(
  queue: Queue<JobData>,
  id: string | undefined,
  priority: number,
): Promise<void> {
  const queued = id === undefined ? undefined : await queue.getJob(id);
  if (queued && queued.priority > priority) await queued.changePriority({ priority });
}
