import type { Queue } from "bullmq";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** `put-back`: its worker stopped in the midst of it, or paused as Postgres is unavailable; it runs again. */
const OUTCOMES = ["done", "failed", "to-be-retried", "put-back"] as const;
type Outcome = (typeof OUTCOMES)[number];

export interface JobMetrics {
  ended(job: string, outcome: Outcome): void;
  /** To be called at a job's beginning; gives what is to be called at its end. */
  time(job: string): () => void;
  /** Asks Redis how many jobs a queue holds, and how long the oldest has waited. */
  observe(queue: Queue): Promise<void>;
  observeMemory(memory: QueueMemory): void;
}

/** Of the queues' Redis, in bytes. */
export interface QueueMemory {
  used: number;
  /** 0: without a limit. */
  max: number;
}

const STATES = ["waiting", "active", "delayed", "failed"] as const;

/** Jobs are labelled by `queue`, which is named like its job: `job` is Prometheus's own label. */
export function createJobMetrics(registry: Registry, queues: readonly string[]): JobMetrics {
  const registers = [registry];
  const ended = new Counter({
    name: "tapthru_jobs_total",
    help: "Jobs by what they came to",
    labelNames: ["queue", "outcome"],
    registers,
  });
  // An increase from nothing is none to Prometheus.
  for (const queue of queues) for (const outcome of OUTCOMES) ended.inc({ queue, outcome }, 0);
  const duration = new Histogram({
    name: "tapthru_job_duration_seconds",
    help: "How long jobs took, whatever they came to",
    labelNames: ["queue"],
    buckets: [0.01, 0.05, 0.2, 1, 5, 20, 60, 300],
    registers,
  });
  const depth = new Gauge({
    name: "tapthru_queue_jobs",
    help: "Jobs in the queues, as they were seen last",
    labelNames: ["queue", "state"],
    registers,
  });
  const age = new Gauge({
    name: "tapthru_queue_oldest_waiting_seconds",
    help: "Since when the oldest job that waits was asked for",
    labelNames: ["queue"],
    registers,
  });
  const memoryUsed = new Gauge({
    name: "tapthru_queue_memory_used_bytes",
    help: "Memory that the queues' Redis uses",
    registers,
  });
  const memoryMax = new Gauge({
    name: "tapthru_queue_memory_max_bytes",
    help: "Memory that the queues' Redis may use; 0: without a limit",
    registers,
  });

  return {
    ended: (queue, outcome) => ended.inc({ queue, outcome }),
    time: (queue) => duration.startTimer({ queue }),
    async observe(observed) {
      const queue = observed.name;
      const { prioritized = 0, ...counts } = await observed.getJobCounts(...STATES, "prioritized");
      for (const state of STATES) {
        const withPriority = state === "waiting" ? prioritized : 0;
        depth.set({ queue, state }, (counts[state] ?? 0) + withPriority);
      }
      const since = await oldestWaitingSince(observed);
      age.set({ queue }, since === null ? 0 : (Date.now() - since) / 1_000);
    },
    observeMemory({ used, max }) {
      memoryUsed.set(used);
      memoryMax.set(max);
    },
  };
}

/** When the oldest waiting job was asked for, in Unix milliseconds; null where none waits. */
async function oldestWaitingSince(queue: Queue): Promise<number | null> {
  const [[first], prioritized] = await Promise.all([
    queue.getJobs(["waiting"], 0, 0, true),
    queue.getRanges(["prioritized"]),
  ]);
  // They are ordered by priority; their ids are numbers that grow.
  const oldestId = prioritized.reduce((least, id) => Math.min(least, Number(id)), Infinity);
  const oldest = Number.isFinite(oldestId) ? await queue.getJob(String(oldestId)) : undefined;
  const times = [first, oldest].flatMap((job) => (job ? [job.timestamp] : []));
  return times.length === 0 ? null : Math.min(...times);
}
