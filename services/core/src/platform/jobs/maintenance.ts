import type { JobCatalogue, JobDefinition } from "@tapthru/proto/jobs/definition";
import type { Queue } from "bullmq";
import type { Logger } from "../logger.ts";
import { masterServers, type RedisClient } from "../redis/client.ts";
import { isRedisUnavailable } from "../redis/errors.ts";
import type { JobMetrics } from "./metrics.ts";
import { type JobData, jobOptions, openQueue } from "./queue.ts";

export interface QueueMaintenance {
  start(redis: RedisClient): void;
  stop(): void;
  /** Null once Redis was reached and its eviction policy was found correct. */
  readinessReason(): string | null;
}

interface MaintainedQueue {
  definition: JobDefinition;
  queue: Queue<JobData>;
}

/** Periodically restores schedules that Redis lost, checks its eviction policy, and measures the queues. */
export function createQueueMaintenance(options: {
  jobs: JobCatalogue;
  metrics: Pick<JobMetrics, "observe">;
  logger: Logger;
  roundMs?: number;
}): QueueMaintenance {
  const { jobs, metrics, logger, roundMs = 15_000 } = options;
  const queues: MaintainedQueue[] = [];
  let reason: string | null = "the queue's Redis was not reached yet";
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function round(redis: RedisClient): Promise<void> {
    try {
      const servers = await masterServers(redis);
      const infos = await Promise.all(servers.map((server) => server.info("memory")));
      reason = infos.map(evictionPolicyError).find((error) => error !== null) ?? null;
      for (const queue of queues) await maintain(queue);
    } catch (err) {
      if (!isRedisUnavailable(err)) logFailure(err);
    }
    if (!isStopped) timer = setTimeout(round, roundMs, redis);
  }

  /** A queue that fails does not delay the others. */
  async function maintain({ definition, queue }: MaintainedQueue): Promise<void> {
    try {
      await keepSchedule(definition, queue);
      await metrics.observe(queue);
    } catch (err) {
      if (isRedisUnavailable(err)) throw err;
      logFailure(err, queue.name);
    }
  }

  function logFailure(err: unknown, queue?: string): void {
    logger.error({ event: "queue_maintenance_failed", queue, err }, "job queue maintenance failed");
  }

  return {
    start(redis) {
      for (const [name, definition] of Object.entries(jobs)) {
        queues.push({ definition, queue: openQueue(name, redis, logger) });
      }
      void round(redis);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
    readinessReason: () => reason,
  };
}

function evictionPolicyError(info: string): string | null {
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? "unknown";
  if (policy === "noeviction") return null;
  return `the queue's Redis may drop jobs: its maxmemory-policy is ${policy}, not noeviction`;
}

const SCHEDULED_JOB_DATA: JobData = { requestId: null, payload: {} };

/** Creates the schedule of a job unless it exists; the first job runs at once. */
async function keepSchedule(definition: JobDefinition, queue: Queue<JobData>): Promise<void> {
  const { name } = queue;
  const { schedule } = definition;
  if (!schedule) return;
  if (schedule.isAlone) await queue.setGlobalConcurrency(1);
  await queue.upsertJobScheduler(
    name,
    { every: schedule.everyMs },
    { name, data: SCHEDULED_JOB_DATA, opts: jobOptions(definition) },
  );
}
