import { JOBS } from "@tapthru/proto/jobs/catalogue";
import { QUEUE_PREFIX } from "@tapthru/runtime/jobs/queue";
import { Queue } from "bullmq";
import { secondsUntil } from "../until.ts";

/** Opens one of the worker's queues for the duration of `work`. */
async function withQueue<T>(
  port: number,
  name: string,
  work: (queue: Queue) => Promise<T>,
): Promise<T> {
  const queue = new Queue(name, { connection: { port }, prefix: QUEUE_PREFIX });
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

/** Adds a job without a payload and measures the seconds until it is done. */
export function measureJob(port: number, name: string, signal: AbortSignal): Promise<number> {
  return withQueue(port, name, async (queue) => {
    const { id = "" } = await queue.add(
      name,
      { requestId: null, payload: {} },
      { removeOnComplete: true },
    );
    const isDone = async () => (await queue.getJob(id)) === undefined;
    return secondsUntil(isDone, { timeoutMs: 30_000, intervalMs: 20, signal });
  });
}

/** Failed jobs of all queues. */
export async function countFailedJobs(port: number): Promise<number> {
  const counts = await Promise.all(
    Object.keys(JOBS).map((name) => withQueue(port, name, (queue) => queue.getFailedCount())),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Job schedules of all queues. */
export async function countSchedules(port: number): Promise<number> {
  const counts = await Promise.all(
    Object.keys(JOBS).map((name) =>
      withQueue(port, name, (queue) => queue.getJobSchedulersCount()),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
