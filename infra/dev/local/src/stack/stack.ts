import type { OpenLedger } from "../processes/process-ledger.ts";
import {
  launch,
  logTail,
  type ProcessPlan,
  type RunningProcess,
  untilReady,
} from "../processes/running-process.ts";

/** Running processes, in the order in which they came up. */
export interface Stack {
  /** Resolves once the process answers; throws with the end of its log when it does not. */
  start(plan: ProcessPlan, isReady: () => Promise<boolean>): Promise<void>;
  /** Resolves with a sentence when a process ends that was not asked to and cannot be missed. */
  died: Promise<string>;
  /** Stops all in good order, the youngest first. */
  stop(): Promise<void>;
  /** Ends all at once. */
  kill(): void;
}

/** @param signal ends the waiting for a process that is coming up */
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
        if (plan.isOptional) console.log(`${plan.name} ${how}. The others go on without it.`);
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
