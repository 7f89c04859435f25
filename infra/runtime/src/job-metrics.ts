import type { Queue } from "bullmq";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** `put-back`: its worker stopped in the midst of it; another takes it up. */
type Outcome = "done" | "failed" | "to-be-retried" | "put-back";

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

export function createJobMetrics(registry: Registry): JobMetrics {
  const registers = [registry];
  const ended = new Counter({
    name: "jobs_total",
    help: "Jobs by what they came to",
    labelNames: ["job", "outcome"],
    registers,
  });
  const duration = new Histogram({
    name: "job_duration_seconds",
    help: "How long jobs took, whatever they came to",
    labelNames: ["job"],
    buckets: [0.01, 0.05, 0.2, 1, 5, 20, 60, 300],
    registers,
  });
  const depth = new Gauge({
    name: "job_queue_jobs",
    help: "Jobs in the queues, as they were seen last",
    labelNames: ["job", "state"],
    registers,
  });
  const age = new Gauge({
    name: "job_queue_oldest_waiting_seconds",
    help: "Since when the oldest job that waits was asked for",
    labelNames: ["job"],
    registers,
  });
  const memory = new Gauge({
    name: "job_queue_memory_bytes",
    help: "Memory of the queues' Redis: used, and max where it has a limit",
    labelNames: ["kind"],
    registers,
  });

  return {
    ended: (job, outcome) => ended.inc({ job, outcome }),
    time: (job) => duration.startTimer({ job }),
    async observe(queue) {
      const job = queue.name;
      const counts = await queue.getJobCounts(...STATES);
      for (const state of STATES) depth.set({ job, state }, counts[state] ?? 0);
      const [oldest] = await queue.getJobs(["waiting"], 0, 0, true);
      age.set({ job }, oldest ? (Date.now() - oldest.timestamp) / 1_000 : 0);
    },
    observeMemory({ used, max }) {
      memory.set({ kind: "used" }, used);
      memory.set({ kind: "max" }, max);
    },
  };
}
