import { createJobProducer } from "@tapthru/core/platform/jobs/producer";
import type { Logger } from "@tapthru/core/platform/logger";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobPayload } from "@tapthru/proto/jobs/definition";

type Payload = JobPayload<(typeof JOBS)["read-earnings"]>;

/** Queues the read of a file. Failures are tolerated, because the worker looks for files that wait too. */
export type QueueRead = (payload: Payload, requestId: string) => Promise<void>;

export function createEarningsQueue({
  redis,
  logger,
}: {
  redis: RequestRedis;
  logger: Logger;
}): QueueRead {
  const producer = createJobProducer({ jobs: JOBS, redis, logger });
  return async (payload, requestId) => {
    await bestEffort(producer.add("read-earnings", payload, { requestId })).catch((err) => {
      logger.error({ event: "job_enqueue_failed", err, requestId }, "failed to enqueue job");
    });
  };
}
