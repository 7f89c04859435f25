import type { Job, Queue } from "bullmq";
import type { Logger } from "../logger.ts";
import { RedisBudget } from "../redis/budget.ts";
import type { RequestRedis } from "../redis/redis.ts";
import { type JobData, openQueue } from "./queue.ts";

interface QueueState {
  job: string;
  waiting: number;
  running: number;
  /** Number of scheduled runs and retries that are not due yet. */
  delayed: number;
  /** How many failed jobs Redis keeps. */
  failedCount: number;
  /** The newest first. */
  failed: FailedJob[];
}

interface FailedJob {
  id: string;
  /** When the job failed, in Unix milliseconds. */
  failedAt: number;
  attempts: number;
  reason: string;
  payload: unknown;
}

/** Operations on the queues and on failed jobs. All throw RedisUnavailableError. */
export interface JobAdmin {
  /** @param failedMaxCount of each queue; all by default */
  readQueues(failedMaxCount?: number): Promise<QueueState[]>;
  /** Retries failed jobs, each with its full number of attempts: all jobs, the jobs of one name, or one job. */
  retry(job?: string, id?: string): Promise<number>;
  drop(job?: string, id?: string): Promise<number>;
}

/** @param options.budgetMs how long each operation may take, if not as long as a request may wait for Redis */
export function createJobAdmin(options: {
  jobs: readonly string[];
  redis: RequestRedis;
  logger: Logger;
  budgetMs?: number;
}): JobAdmin {
  const { redis, logger } = options;

  function mapQueues<T>(names: readonly string[], work: (queue: Queue<JobData>) => Promise<T>) {
    return redis.run(
      (client) => Promise.all(names.map((name) => work(openQueue(name, client, logger)))),
      options.budgetMs === undefined ? undefined : new RedisBudget(options.budgetMs),
    );
  }

  async function updateFailedJobs(
    work: (job: Job<JobData>) => Promise<void>,
    job?: string,
    id?: string,
  ): Promise<number> {
    const counts = await mapQueues(job === undefined ? options.jobs : [job], async (queue) => {
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
    return counts.reduce((sum, count) => sum + count, 0);
  }

  return {
    readQueues: (failedMaxCount) => mapQueues(options.jobs, (queue) => stateOf(queue, failedMaxCount)),
    retry: (job, id) => updateFailedJobs((each) => each.retry("failed", { resetAttemptsMade: true }), job, id),
    drop: (job, id) => updateFailedJobs((each) => each.remove(), job, id),
  };
}

async function stateOf(queue: Queue<JobData>, failedMaxCount = 0): Promise<QueueState> {
  const {
    waiting = 0,
    prioritized = 0,
    active: running = 0,
    delayed = 0,
    failed: failedCount = 0,
  } = await queue.getJobCounts("waiting", "prioritized", "active", "delayed", "failed");
  const failed = await queue.getFailed(0, failedMaxCount - 1);
  return {
    job: queue.name,
    waiting: waiting + prioritized,
    running,
    delayed,
    failedCount,
    failed: failed.map(describe),
  };
}

function describe({ id = "", finishedOn = 0, attemptsMade, failedReason, data }: Job<JobData>) {
  return {
    id,
    failedAt: finishedOn,
    attempts: attemptsMade,
    reason: failedReason,
    payload: data?.payload,
  };
}
