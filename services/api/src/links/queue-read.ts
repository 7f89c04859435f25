import { createJobProducer } from "@tapthru/core/platform/jobs/producer";
import type { Logger } from "@tapthru/core/platform/logger";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import { JOBS, readPriority } from "@tapthru/proto/jobs/catalogue";

/** Reads for members have priority. Requesters take turns within each priority. */
export interface ReadRequester {
  /** Null for a visitor without an account. */
  userId: number | null;
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
  dailyPseudonym(requester: string): string;
  logger: Logger;
}

const COUNTER_LIFETIME_S = 10 * 60;

export function createPageReadQueue({ redis, dailyPseudonym, logger }: Options): QueuePageRead {
  const producer = createJobProducer({ jobs: JOBS, redis, logger });
  const add: QueuePageRead = async (page, { userId, address, requestId }) => {
    const key = `reads:${dailyPseudonym(userId === null ? address : `user:${userId}`)}`;
    const results = await redis.run((client) =>
      client.multi().set(key, 0, "EX", COUNTER_LIFETIME_S, "NX").incr(key).exec(),
    );
    /** How many reads were requested under this key within the current ten minutes, without this one. */
    const rank = Number(results?.[1]?.[1] ?? 1) - 1;
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

const MAX_WAITS = 50;
const MAX_WAITS_PER_VISITOR = 5;

export function createWaitLimiter() {
  const waits = new Map<string, number>();
  let total = 0;

  return {
    /** @returns null if the limit of all requests or of this visitor is reached */
    acquire(visitor: string) {
      const current = waits.get(visitor) ?? 0;
      if (total >= MAX_WAITS || current >= MAX_WAITS_PER_VISITOR) return null;
      waits.set(visitor, current + 1);
      total++;
      return {
        release() {
          const remaining = (waits.get(visitor) ?? 1) - 1;
          if (remaining === 0) waits.delete(visitor);
          else waits.set(visitor, remaining);
          total--;
        },
      };
    },
  };
}
