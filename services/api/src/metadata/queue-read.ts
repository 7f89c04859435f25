import { createJobProducer } from "@tapthru/core/platform/jobs/producer";
import type { Logger } from "@tapthru/core/platform/logger";
import type { RedisClient } from "@tapthru/core/platform/redis/client";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import { JOBS, readPriority } from "@tapthru/proto/jobs/catalogue";

/** Reads for members have priority. Requesters take turns within each priority. */
export interface ReadRequester {
  /** Null for a visitor without an account. */
  userId: number | null;
  /** Network address. */
  address: string;
  requestId: string;
}

/** Queues a metadata read. Failures are tolerated, because a sweep of the worker finds due pages too. */
export type QueuePageRead = (
  page: { canonicalUrl: string; attempt: number },
  requester: ReadRequester,
) => Promise<void>;

interface Options {
  redis: RequestRedis;
  /** Pseudonymous key of an account or address. */
  dailyPseudonym(requester: string): string;
  logger: Logger;
}

export function createPageReadQueue({ redis, dailyPseudonym, logger }: Options): QueuePageRead {
  const producer = createJobProducer({ jobs: JOBS, redis, logger });
  const add: QueuePageRead = async (page, { userId, address, requestId }) => {
    const key = dailyPseudonym(userId === null ? address : `user:${userId}`);
    const rank = await redis.run((client) => countRead(client, key));
    const priority = readPriority(userId === null ? "anonymous" : "member", rank);
    await producer.add("scrape-metadata", page, { requestId, priority });
  };
  return async (page, requester) => {
    const { requestId } = requester;
    await bestEffort(add(page, requester)).catch((err) => {
      logger.error({ event: "job_enqueue_failed", err, requestId }, "failed to enqueue job");
    });
  };
}

const COUNTER_LIFETIME_S = 10 * 60;

/** Returns how many reads were requested under this key within the current ten minutes, without this one. */
async function countRead(client: RedisClient, key: string): Promise<number> {
  const counterKey = `reads:${key}`;
  const results = await client
    .multi()
    .set(counterKey, 0, "EX", COUNTER_LIFETIME_S, "NX")
    .incr(counterKey)
    .exec();
  return Number(results?.[1]?.[1] ?? 1) - 1;
}
