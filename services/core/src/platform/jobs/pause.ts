import type { Worker } from "bullmq";
import type { Logger } from "../logger.ts";
import { pause } from "../waiting.ts";

const RETRY_MS = 1_000;

/**
 * Pauses all workers of a process while the dependency of all handlers is unavailable.
 * @returns a function to call when a job failed. If the dependency is unavailable, it pauses the workers until it is
 * available; the failure then does not count against the job. It returns whether the workers are paused
 */
export function createJobPause(options: {
  workers: readonly Pick<Worker, "pause" | "resume">[];
  /** Rejects while the dependency is unavailable. Called after a failure, and every second during a pause. */
  ping: () => Promise<unknown>;
  logger: Logger;
  /** Ends a pause, as the workers are closed. */
  signal: AbortSignal;
}): () => Promise<boolean> {
  const { workers, ping, logger, signal } = options;
  let isPaused = false;

  async function resumeWhenAvailable(): Promise<void> {
    for (let isAvailable = false; !isAvailable; ) {
      await pause(RETRY_MS, signal);
      if (signal.aborted) return;
      isAvailable = await ping().then(
        () => true,
        () => false,
      );
    }
    isPaused = false;
    for (const worker of workers) worker.resume();
    logger.info({ event: "job_workers_resumed" }, "job workers resumed");
  }

  return async () => {
    if (isPaused) return true;
    try {
      await ping();
      return false;
    } catch (err) {
      // Another failure may have paused the workers in the meantime.
      if (isPaused) return true;
      isPaused = true;
      logger.warn({ event: "job_workers_paused", err }, "job workers paused: a dependency is unavailable");
      for (const worker of workers) void worker.pause(true);
      void resumeWhenAvailable();
      return true;
    }
  };
}
