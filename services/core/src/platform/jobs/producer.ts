import type { JobCatalogue, JobPayload } from "@tapthru/proto/jobs/definition";
import type { Queue } from "bullmq";
import type { Logger } from "../logger.ts";
import type { RedisClient } from "../redis/client.ts";
import type { RequestRedis } from "../redis/redis.ts";
import { type JobData, jobOptions, openQueue } from "./queue.ts";

interface JobOrigin {
  /** Null if the job was not caused by a request. */
  requestId: string | null;
  /** Lower numbers run first, from 1; jobs without a priority run before all others. */
  priority?: number;
}

export interface JobProducer<Jobs extends JobCatalogue> {
  /**
   * A waiting job with the same dedupeId gets this priority if it is a lower number.
   * @throws {RedisUnavailableError} if it is unknown whether the job was queued. Adding it again must be safe: by
   *   its dedupeId or an idempotent handler. Beyond the definition's `maxAhead` it is dropped.
   */
  add<Name extends keyof Jobs & string>(name: Name, payload: JobPayload<Jobs[Name]>, origin: JobOrigin): Promise<void>;
}

export function createJobProducer<Jobs extends JobCatalogue>(options: {
  jobs: Jobs;
  redis: RequestRedis;
  logger: Logger;
}): JobProducer<Jobs> {
  const { jobs, redis, logger } = options;

  return {
    async add(name, payload, { requestId, priority = 0 }) {
      const definition: Jobs[typeof name] = jobs[name];
      const jobOpts = jobOptions(definition, definition.dedupeId?.(payload));
      const data = { requestId, payload };
      await redis.run(async (client) => {
        const queue = openQueue(name, client, logger);
        const { maxAhead } = definition;
        if (maxAhead !== undefined && (await countAhead(client, queue, priority)) >= maxAhead) return;
        const added = await queue.add(name, data, { ...jobOpts, ...(priority && { priority }) });
        if (priority > 0) await moveAhead(queue, added.id, priority);
      });
    },
  };
}

/** BullMQ orders jobs by their priorities, in the upper 32 bits, and the numbers of jobs. */
function countAhead(client: RedisClient, queue: Queue<JobData>, priority: number) {
  return client.zcount(queue.toKey("prioritized"), "-inf", `(${(priority + 1) * 2 ** 32}`);
}

/** The added job may have been queued before, with another priority. */
async function moveAhead(queue: Queue<JobData>, id: string | undefined, priority: number): Promise<void> {
  const queued = id === undefined ? undefined : await queue.getJob(id);
  if (queued && queued.priority > priority) await queued.changePriority({ priority });
}
