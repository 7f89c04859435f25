import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../logger.ts";

interface Pausable {
  pause(doNotWaitActive: boolean): Promise<void>;
  resume(): void;
}

export interface JobPause {
  /**
   * To be called when a job has failed. Where the handlers cannot work at all, this pauses the workers until
   * they can; the failure is not the job's then.
   * @returns whether the workers are paused
   */
  pauseUnlessAble(): Promise<boolean>;
}

/** Pauses all workers of a process while what every handler needs is unavailable. */
export function createJobPause(options: {
  workers: readonly Pausable[];
  /** Asked after a failure, and during a pause every `retryMs`. */
  canWork: () => Promise<boolean>;
  logger: Logger;
  /** Ends a pause for good: the workers are being closed. */
  signal: AbortSignal;
  retryMs?: number;
}): JobPause {
  const { workers, canWork, logger, signal, retryMs = 1_000 } = options;
  let isPaused = false;

  async function resumeWhenAble(): Promise<void> {
    do {
      await delay(retryMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    } while (!(await canWork()));
    isPaused = false;
    for (const worker of workers) worker.resume();
    logger.info({ event: "job_workers_resumed" }, "job workers resumed");
  }

  return {
    async pauseUnlessAble() {
      if (isPaused) return true;
      if (await canWork()) return false;
      // Others may have found out meanwhile.
      if (isPaused) return true;
      isPaused = true;
      logger.warn(
        { event: "job_workers_paused" },
        "job workers paused: a dependency is unavailable",
      );
      for (const worker of workers) void worker.pause(true);
      void resumeWhenAble();
      return true;
    },
  };
}
