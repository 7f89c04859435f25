import type { Job, Queue } from "bullmq";
import type { Logger } from "../logger.ts";
import { RedisBudget } from "../redis/budget.ts";
import type { RequestRedis } from "../redis/redis.ts";
import { type JobData, openQueue } from "./queue.ts";

interface FailedJobs {
  job: string;
  count: number;
  latest: FailedJob[];
}

interface FailedJob {
  id: string;
  /** When the job failed, in Unix milliseconds. */
  failedAt: number;
  attempts: number;
  reason: string;
}

/** Operations on failed jobs. All throw RedisUnavailableError. */
export interface JobAdmin {
  /** Of each queue that has some. @param latestCount how many of each queue, the newest first */
  read(latestCount: number): Promise<FailedJobs[]>;
  /** Retries the failed jobs of one name, or one of them, each with its full number of attempts. @returns how many */
  retry(job: string, id?: string): Promise<number>;
  /** @returns how many */
  drop(job: string, id?: string): Promise<number>;
}

/** @param options.budgetMs how long each operation may take */
export function createJobAdmin(options: {
  jobs: readonly string[];
  redis: RequestRedis;
  logger: Logger;
  budgetMs: number;
}): JobAdmin {
  const { jobs, redis, logger, budgetMs } = options;

  function withQueues<T>(names: readonly string[], work: (queue: Queue<JobData>) => Promise<T>): Promise<T[]> {
    return redis.run(
      (client) => Promise.all(names.map((name) => work(openQueue(name, client, logger)))),
      new RedisBudget(budgetMs),
    );
  }

  async function updateFailedJobs(name: string, id: string | undefined, work: (job: Job<JobData>) => Promise<void>) {
    const [count = 0] = await withQueues([name], async (queue) => {
      const failed = await queue.getFailed();
      const matching = failed.filter((each) => id === undefined || each.id === id);
      const wereChanged = await Promise.all(
        matching.map((each) =>
          work(each).then(
            () => true,
            async (error) => {
              // Another operator may have retried or deleted it.
              if (await each.isFailed()) throw error;
              return false;
            },
          ),
        ),
      );
      return wereChanged.filter(Boolean).length;
    });
    return count;
  }

  return {
    async read(latestCount) {
      const queues = await withQueues(jobs, async (queue) => {
        const [count, latest] = await Promise.all([queue.getFailedCount(), queue.getFailed(0, latestCount - 1)]);
        return { job: queue.name, count, latest: latest.map(describe) };
      });
      return queues.filter(({ count }) => count > 0);
    },
    retry: (job, id) => updateFailedJobs(job, id, (each) => each.retry("failed", { resetAttemptsMade: true })),
    drop: (job, id) => updateFailedJobs(job, id, (each) => each.remove()),
  };
}

function describe({ id = "", finishedOn = 0, attemptsMade, failedReason }: Job<JobData>): FailedJob {
  return { id, failedAt: finishedOn, attempts: attemptsMade, reason: failedReason };
}
