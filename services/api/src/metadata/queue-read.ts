import { scrapeMetadata } from "@tapthru/proto/jobs/scrape-metadata";
import { createJobProducer } from "@tapthru/runtime/job-producer";
import type { Logger } from "@tapthru/runtime/logger";
import { RedisAwayError, type RequestRedis } from "@tapthru/runtime/redis";

/** Asks the worker to read a page; best effort, as it looks for pages that are due itself. */
export type QueueRead = (
  page: { canonicalUrl: string; attempt: number },
  requestId: string,
) => Promise<void>;

export function createQueueRead(redis: RequestRedis, logger: Logger): QueueRead {
  const producer = createJobProducer({
    jobs: { [scrapeMetadata.name]: scrapeMetadata },
    redis,
    logger,
  });
  return async (page, requestId) => {
    try {
      await producer.add(scrapeMetadata.name, page, { requestId });
    } catch (error) {
      if (error instanceof RedisAwayError) return;
      logger.error({ err: error, requestId }, "the queue takes no jobs");
    }
  };
}
