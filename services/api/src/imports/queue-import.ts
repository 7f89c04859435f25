import { JOBS } from "@tapthru/proto/jobs/catalogue";
import { createJobProducer } from "@tapthru/runtime/jobs/producer";
import type { Logger } from "@tapthru/runtime/logger";
import { bestEffort } from "@tapthru/runtime/redis/errors";
import type { RequestRedis } from "@tapthru/runtime/redis/redis";

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
