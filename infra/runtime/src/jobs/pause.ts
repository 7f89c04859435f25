import type { Logger } from "../logger.ts";
import { pause } from "../waiting.ts";

interface Pausable {
  pause(doNotWaitActive: boolean): Promise<void>;
  resume(): void;
}

export interface JobPause {
  /**
   * Call it when a job failed. If the dependency of all handlers is unavailable, pauses the workers until it is
   * available; the failure then does not count against the job.
   * @returns whether the workers are paused
   */
  pauseIfUnavailable(): Promise<boolean>;
}

/** Pauses all workers of a process while the dependency of all handlers is unavailable. */
export function createJobPause(options: {
  workers: readonly Pausable[];
  /** Rejects while the dependency is unavailable. Called after a failure, and every `retryMs` during a pause. */
  ping: () => Promise<unknown>;
  logger: Logger;
  /** Ends a pause, as the workers are closed. */
  signal: AbortSignal;
  retryMs?: number;
}): JobPause {
  const { workers, ping, logger, signal, retryMs = 1_000 } = options;
  const isAvailable = () =>
    ping().then(
      () => true,
      () => false,
    );
  let isPaused = false;

  async function resumeWhenAvailable(): Promise<void> {
    do {
      await pause(retryMs, signal);
      if (signal.aborted) return;
    } while (!(await isAvailable()));
    isPaused = false;
    for (const worker of workers) worker.resume();
    logger.info({ event: "job_workers_resumed" }, "job workers resumed");
  }

  return {
    async pauseIfUnavailable() {
      if (isPaused) return true;
      try {
        await ping();
        return false;
      } catch (err) {
        // Another failure may have paused the workers in the meantime.
        if (isPaused) return true;
        isPaused = true;
        logger.warn(
          { event: "job_workers_paused", err },
          "job workers paused: a dependency is unavailable",
        );
        for (const worker of workers) void worker.pause(true);
        void resumeWhenAvailable();
        return true;
      }
    },
  };
}
