import { createJobProducer } from "@tapthru/core/platform/jobs/producer";
import type { Logger } from "@tapthru/core/platform/logger";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import { JOBS } from "@tapthru/proto/jobs/catalogue";

/** Queues a job about domains before its next turn. Failures are tolerated, because the worker repeats both. */
export type QueueDomainJob = (
  name: "check-domains" | "move-links-of-removed-domains",
  requestId: string,
) => Promise<void>;

export function createDomainJobs({
  redis,
  logger,
}: {
  redis: RequestRedis;
  logger: Logger;
}): QueueDomainJob {
  const producer = createJobProducer({ jobs: JOBS, redis, logger });
  return async (name, requestId) => {
    await bestEffort(producer.add(name, {}, { requestId })).catch((err) => {
      logger.error({ event: "job_enqueue_failed", err, requestId }, "failed to enqueue job");
    });
  };
}
