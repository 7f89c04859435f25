import { JOBS } from "@tapthru/proto/jobs/catalogue";
import { queuePrefix } from "@tapthru/runtime/jobs/queue";
import { Queue } from "bullmq";
import type { Trial } from "../fault-case.ts";

/** Opens one of the worker's queues for the duration of `work`. */
async function withQueue<T>(port: number, name: string, work: (queue: Queue) => Promise<T>) {
  const prefix = queuePrefix({ isCluster: false });
  const queue = new Queue(name, { connection: { port }, prefix });
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

/** Adds a job without a payload and measures the seconds until it is done. */
export function measureJob({ testbed, secondsUntil }: Trial, name: string): Promise<number> {
  return withQueue(testbed.config.queuePort, name, async (queue) => {
    const data = { requestId: null, payload: {} };
    const { id = "" } = await queue.add(name, data, { removeOnComplete: true });
    return secondsUntil(async () => (await queue.getJob(id)) === undefined, 30_000, 20);
  });
}

/** Adds up a figure of all queues. */
async function sumOf(port: number, figure: (queue: Queue) => Promise<number>): Promise<number> {
  const names = Object.keys(JOBS);
  const figures = await Promise.all(names.map((name) => withQueue(port, name, figure)));
  return figures.reduce((sum, one) => sum + one, 0);
}

export const countFailedJobs = (port: number) => sumOf(port, (queue) => queue.getFailedCount());
export const countSchedules = (port: number) =>
  sumOf(port, (queue) => queue.getJobSchedulersCount());
