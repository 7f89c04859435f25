import type { OpenLedger } from "../processes/process-ledger.ts";
import {
  launch,
  logTail,
  type ProcessPlan,
  type RunningProcess,
  untilReady,
} from "../processes/running-process.ts";

/** Running processes, in the order of their start. */
export interface Stack {
  /** Resolves when the process is ready; throws with the end of its log otherwise. */
  start(plan: ProcessPlan, isReady: () => Promise<boolean>): Promise<void>;
  /** Resolves with a message when a required process ends by itself. */
  died: Promise<string>;
  /** Shuts down all gracefully, the last started first. */
  stop(): Promise<void>;
  /** Kills all. */
  kill(): void;
}

/** @param signal stops waiting for a process that is starting */
export function createStack(ledger: OpenLedger, signal?: AbortSignal): Stack {
  const running: RunningProcess[] = [];
  const died = Promise.withResolvers<string>();
  let isStopping = false;

  return {
    died: died.promise,
    async start(plan, isReady) {
      signal?.throwIfAborted();
      const started = await launch(plan, ledger);
      running.push(started);
      await untilReady(started, isReady, signal);
      void started.exited.then((how) => {
        if (isStopping) return;
        if (plan.isOptional) console.log(`${plan.name} ${how}. The others keep running.`);
        else died.resolve(`${plan.name} ${how}.\n${logTail(plan.logFile)}`);
      });
    },
    async stop() {
      isStopping = true;
      for (const process of running.toReversed()) await process.stop();
    },
    kill() {
      isStopping = true;
      for (const process of running) process.kill();
    },
  };
}
