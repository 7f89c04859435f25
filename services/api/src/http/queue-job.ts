import { createJobProducer } from "@tapthru/core/platform/jobs/producer";
import type { Logger } from "@tapthru/core/platform/logger";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobPayload } from "@tapthru/proto/jobs/definition";

/** Queues a job before its next turn. Failures are tolerated, because the worker looks for due work too. */
export function createJobQueue({ redis, logger }: { redis: RequestRedis; logger: Logger }) {
  const producer = createJobProducer({ jobs: JOBS, redis, logger });
  return async <Name extends keyof typeof JOBS>(
    name: Name,
    payload: JobPayload<(typeof JOBS)[Name]>,
    requestId: string,
  ): Promise<void> => {
    await bestEffort(producer.add(name, payload, { requestId })).catch((err) => {
      logger.error({ event: "job_enqueue_failed", err, requestId }, "failed to enqueue job");
    });
  };
}
