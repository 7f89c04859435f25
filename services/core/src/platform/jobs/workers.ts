import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { JobCatalogue, JobPayload } from "@tapthru/proto/jobs/definition";
import { type Job, UnrecoverableError, WaitingError, Worker } from "bullmq";
import type { Registry } from "prom-client";
import * as z from "zod/mini";
import { requestIdFrom } from "../http/request-id.ts";
import type { Component } from "../lifecycle.ts";
import type { Logger } from "../logger.ts";
import { ping, type RedisClient } from "../redis/client.ts";
import { isRedisUnavailable } from "../redis/errors.ts";
import { createWorkerRedis } from "../redis/redis.ts";
import { pause, withDeadline } from "../waiting.ts";
import { createQueueMaintenance } from "./maintenance.ts";
import { createJobMetrics } from "./metrics.ts";
import { JobData, queuePrefix } from "./queue.ts";

/** Until a job is repeated that failed without the dependency. */
const RETRY_MS = 1_000;

export interface JobContext {
  /** Aborted when the worker stops. The worker waits for the job; if it throws then, it is queued again. */
  signal: AbortSignal;
}

/** May run twice for one job, even at the same time. */
type JobHandler<Payload> = (payload: Payload, context: JobContext) => Promise<void>;

export type JobHandlers<Jobs extends JobCatalogue> = {
  [Name in keyof Jobs]: JobHandler<JobPayload<Jobs[Name]>>;
};

export interface JobWorkers extends Component {
  readinessReason(): string | null;
}

/** A job of a crashed worker is requeued after at most LOCK_MS and two checks, any number of times. */
const LOCK_MS = 5_000;
const STALLED_CHECK_MS = 2_500;
const STALLS_ALLOWED = 1_000_000;

const RETRY_FETCH_MS = 1_000;
const PING_MS = 1_000;
/** After its jobs a worker may need this long to close its connections to a cluster. */
const CLOSE_MS = 2_000;

/** Processes all queues and maintains the schedules. Redis may be unavailable at startup. */
export function createJobWorkers<Jobs extends JobCatalogue>(options: {
  jobs: Jobs;
  handlers: JobHandlers<Jobs>;
  redisUrl: string;
  registry: Registry;
  logger: Logger;
  /** Rejects while the dependency of all handlers is unavailable. Then jobs wait and none fails. */
  ping?: () => Promise<unknown>;
}): JobWorkers {
  const { jobs, handlers, redisUrl, registry, logger, ping = async () => {} } = options;
  const metrics = createJobMetrics(registry, Object.keys(jobs));
  const stopping = new AbortController();
  const workers: Worker[] = [];
  const maintenance = createQueueMaintenance({ jobs, metrics, logger });
  const running = new Set<Promise<unknown>>();
  let redis: RedisClient | undefined;

  function track<T>(job: Promise<T>): Promise<T> {
    running.add(job);
    const remove = () => void running.delete(job);
    job.then(remove, remove);
    return job;
  }

  /** A failure while the dependency is unavailable does not count against the job. */
  const isAvailable = () =>
    ping().then(
      () => true,
      () => false,
    );

  /** BullMQ may wait forever for the end of a connection that ioredis is making to a node of a cluster. */
  async function jobsEnded(): Promise<void> {
    await Promise.allSettled(running);
    await delay(CLOSE_MS);
  }

  function createWorker<Name extends keyof Jobs & string>(name: Name, connection: RedisClient): Worker {
    const definition: Jobs[Name] = jobs[name];
    const handler = handlers[name];
    async function run(job: Job, token?: string): Promise<void> {
      const { requestId, payload, isScheduled } = parseJob<Jobs[Name]["payload"]>(definition.payload, job.data);
      const jobLogger = logger.child({ job: name, jobId: job.id, requestId });
      const end = metrics.time(name);
      try {
        await handler(payload, { signal: stopping.signal }).finally(end);
        jobLogger[isScheduled ? "debug" : "info"]({ event: "job_completed" }, "job completed");
      } catch (error) {
        if (!stopping.signal.aborted && (await isAvailable())) throw error;
        await pause(RETRY_MS, stopping.signal);
        metrics.ended(name, "put-back");
        await job.moveToWait(token);
        throw new WaitingError();
      }
    }
    const worker = new Worker(name, (job, token) => track(run(job, token)), {
      connection,
      prefix: queuePrefix(connection),
      concurrency: definition.concurrency ?? 1,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: STALLS_ALLOWED,
      runRetryDelay: RETRY_FETCH_MS,
    });
    worker.on("completed", () => metrics.ended(name, "done"));
    worker.on("failed", (job, err) => {
      const isLast = job?.finishedOn !== undefined;
      metrics.ended(name, isLast ? "failed" : "to-be-retried");
      const record = { err, job: name, jobId: job?.id, attempt: job?.attemptsMade };
      if (isLast) logger.error({ event: "job_failed", ...record }, "job failed after its last attempt");
      else logger.warn({ event: "job_retry_scheduled", ...record }, "job failed and will be retried");
    });
    worker.on("stalled", (jobId) => logger.warn({ event: "job_stalled", job: name, jobId }, "stalled job requeued"));
    worker.on("error", (err) => {
      if (!isRedisUnavailable(err)) logger.error({ event: "job_worker_failed", err, job: name }, "job worker failed");
    });
    return worker;
  }

  return {
    name: "job workers",
    readinessReason: maintenance.readinessReason,
    async start() {
      redis = createWorkerRedis({ url: redisUrl, logger });
      for (const name in jobs) workers.push(createWorker(name, redis));
      maintenance.start(redis);
    },
    async stop() {
      stopping.abort();
      maintenance.stop();
      if (redis === undefined) return;
      // Without Redis, BullMQ's close never resolves and a job cannot be marked as completed: it is requeued later.
      await Promise.race([
        Promise.all(workers.map((worker) => worker.close())),
        connectionLost(redis),
        ...(redis.isCluster ? [jobsEnded()] : []),
      ]);
      redis.disconnect();
    },
  };
}

/** An unresponsive server does not close its connections. */
async function connectionLost(redis: RedisClient): Promise<void> {
  if (redis.status !== "ready") return;
  const closed = once(redis, "close").catch(() => {});
  const reply = withDeadline(ping(redis), PING_MS, () => new Error("Redis does not respond"));
  await reply.then(() => closed).catch(() => {});
}

interface ParsedJob<Payload> {
  requestId: string;
  payload: Payload;
  isScheduled: boolean;
}

function parseJob<Payload extends z.ZodMiniType>(schema: Payload, raw: unknown): ParsedJob<z.output<Payload>> {
  const data = z.safeParse(JobData, raw);
  const payload = z.safeParse(schema, data.data?.payload);
  if (!data.success || !payload.success) {
    throw new UnrecoverableError("job data failed schema validation");
  }
  const { requestId } = data.data;
  return {
    requestId: requestIdFrom(requestId ?? undefined),
    payload: payload.data,
    isScheduled: requestId === null,
  };
}
