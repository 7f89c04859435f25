import type { Queue } from "bullmq";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** `put-back`: its worker stopped, or Postgres was unavailable; it runs again. */
const OUTCOMES = ["done", "failed", "to-be-retried", "put-back"] as const;
type Outcome = (typeof OUTCOMES)[number];

export interface JobMetrics {
  ended(job: string, outcome: Outcome): void;
  /** Call it at the start of a job; call the returned function at its end. */
  time(job: string): () => void;
  observe(queue: Queue): Promise<void>;
}

const STATES = ["waiting", "active", "delayed", "failed"] as const;

/** The label of a queue is `queue`, because Prometheus uses `job` itself. A queue is named like its job. */
export function createJobMetrics(registry: Registry, queues: readonly string[]): JobMetrics {
  const registers = [registry];
  const ended = new Counter({
    name: "tapthru_jobs_total",
    help: "Completed runs of jobs, by result",
    labelNames: ["queue", "outcome"],
    registers,
  });
  // Prometheus sees no increase in a series that starts with its first value.
  for (const queue of queues) for (const outcome of OUTCOMES) ended.inc({ queue, outcome }, 0);
  const duration = new Histogram({
    name: "tapthru_job_duration_seconds",
    help: "Duration of jobs, with any result",
    labelNames: ["queue"],
    buckets: [0.01, 0.05, 0.2, 1, 5, 20, 60, 300],
    registers,
  });
  const depth = new Gauge({
    name: "tapthru_queue_jobs",
    help: "Jobs in the queues at the last measurement",
    labelNames: ["queue", "state"],
    registers,
  });
  const age = new Gauge({
    name: "tapthru_queue_oldest_waiting_seconds",
    help: "Age of the oldest waiting job",
    labelNames: ["queue"],
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
  };
}

/** The number of next and of last jobs with a priority that are compared. */
const COMPARED_JOBS = 1_000;

/** When the oldest waiting job was queued, in Unix milliseconds; null if none waits. */
async function oldestWaitingSince(queue: Queue): Promise<number | null> {
  const [[first], next, last] = await Promise.all([
    queue.getJobs(["waiting"], 0, 0, true),
    queue.getRanges(["prioritized"], 0, COMPARED_JOBS - 1, true),
    queue.getRanges(["prioritized"], 0, COMPARED_JOBS - 1, false),
  ]);
  // Ordered by priority; the ids are increasing numbers.
  const oldestId = Math.min(...[...next, ...last].map(Number));
  const oldest = Number.isFinite(oldestId) ? await queue.getJob(String(oldestId)) : undefined;
  const times = [first, oldest].flatMap((job) => (job ? [job.timestamp] : []));
  return times.length === 0 ? null : Math.min(...times);
}
