import { JOBS } from "@tapthru/proto/jobs/catalogue";
import { QUEUE_PREFIX } from "@tapthru/runtime/job-queue";
import { Queue } from "bullmq";

/** Does something with one of the product's queues. */
export async function withQueue<T>(
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

/** Jobs of every kind that were given up for good. */
export async function countFailedJobs(port: number): Promise<number> {
  const counts = await Promise.all(
    Object.keys(JOBS).map((name) => withQueue(port, name, (queue) => queue.getFailedCount())),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
