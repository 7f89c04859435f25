import type { Job, Queue } from "bullmq";
import type { Logger } from "../logger.ts";
import type { RequestRedis } from "../redis/redis.ts";
import { type JobData, openQueue } from "./queue.ts";

interface QueueState {
  job: string;
  waiting: number;
  running: number;
  /** Number of scheduled runs and retries that are not due yet. */
  delayed: number;
  /** Failed jobs that Redis keeps, newest first. */
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
  readQueues(): Promise<QueueState[]>;
  /** Retries failed jobs, each with its full number of attempts: all jobs, the jobs of one name, or one job. */
  retry(job?: string, id?: string): Promise<number>;
  drop(job?: string, id?: string): Promise<number>;
}

export function createJobAdmin(options: {
  jobs: readonly string[];
  redis: RequestRedis;
  logger: Logger;
}): JobAdmin {
  const { redis, logger } = options;

  function mapQueues<T>(names: readonly string[], work: (queue: Queue<JobData>) => Promise<T>) {
    return redis.run((client) =>
      Promise.all(names.map((name) => work(openQueue(name, client, logger)))),
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
      await Promise.all(matching.map(work));
      return matching.length;
    });
    return counts.reduce((sum, count) => sum + count, 0);
  }

  return {
    readQueues: () => mapQueues(options.jobs, stateOf),
    retry: (job, id) =>
      updateFailedJobs((each) => each.retry("failed", { resetAttemptsMade: true }), job, id),
    drop: (job, id) => updateFailedJobs((each) => each.remove(), job, id),
  };
}

async function stateOf(queue: Queue<JobData>): Promise<QueueState> {
  const {
    waiting = 0,
    prioritized = 0,
    active: running = 0,
    delayed = 0,
  } = await queue.getJobCounts("waiting", "prioritized", "active", "delayed");
  const failed = await queue.getFailed();
  return {
    job: queue.name,
    waiting: waiting + prioritized,
    running,
    delayed,
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
