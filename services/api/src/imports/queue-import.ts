import { createJobProducer } from "@tapthru/core/platform/jobs/producer";
import type { Logger } from "@tapthru/core/platform/logger";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import { JOBS } from "@tapthru/proto/jobs/catalogue";

/** Queues the job of a started import. Failures are tolerated, because the worker looks for running imports too. */
export type QueueImport = (importId: string, requestId: string) => Promise<void>;

export function createImportQueue({
  redis,
  logger,
}: {
  redis: RequestRedis;
  logger: Logger;
}): QueueImport {
  const producer = createJobProducer({ jobs: JOBS, redis, logger });
  return async (importId, requestId) => {
    await bestEffort(producer.add("run-import", { importId }, { requestId })).catch((err) => {
      logger.error({ event: "job_enqueue_failed", err, requestId }, "failed to enqueue job");
    });
  };
}
