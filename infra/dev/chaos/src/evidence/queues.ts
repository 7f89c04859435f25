import { JOBS } from "@tapthru/proto/jobs/catalogue";
import { QUEUE_PREFIX } from "@tapthru/runtime/jobs/queue";
import { Queue } from "bullmq";
import { secondsUntil } from "../until.ts";

/** Does something with one of the product's queues. */
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

/** How long a job of a kind that takes no payload needs from being asked for until it is done. */
export function timeJob(port: number, name: string, signal: AbortSignal): Promise<number> {
  return withQueue(port, name, async (queue) => {
    const { id = "" } = await queue.add(
      name,
      { requestId: null, payload: {} },
      { removeOnComplete: true },
    );
    const isDone = async () => (await queue.getJob(id)) === undefined;
    return secondsUntil(isDone, { withinMs: 30_000, everyMs: 20, signal });
  });
}

/** Jobs of every kind that were given up for good. */
export async function countFailedJobs(port: number): Promise<number> {
  const counts = await Promise.all(
    Object.keys(JOBS).map((name) => withQueue(port, name, (queue) => queue.getFailedCount())),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Schedules of jobs of every kind that Redis holds. */
export async function countSchedules(port: number): Promise<number> {
  const counts = await Promise.all(
    Object.keys(JOBS).map((name) =>
      withQueue(port, name, (queue) => queue.getJobSchedulersCount()),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
