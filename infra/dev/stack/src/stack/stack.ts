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
  /** The process id of a running process, which is also the id of its process group. */
  pid(name: string): number;
  /** Sends a signal to the process only, and waits until it and its group have exited. */
  end(name: string, signal: NodeJS.Signals): Promise<void>;
  /** One sentence for each process that exited unexpectedly after it was ready. */
  unexpectedExits: readonly string[];
  /** Resolves with a message when a required process ends by itself. */
  died: Promise<string>;
  /** Shuts down all processes gracefully, the last started first. */
  stop(): Promise<void>;
  /** Kills all processes. */
  kill(): void;
}

interface Entry {
  process: RunningProcess;
  isExitExpected: boolean;
}

/** @param signal stops waiting for a process that is starting */
export function createStack(ledger: OpenLedger, signal?: AbortSignal): Stack {
  const running = new Map<string, Entry>();
  const unexpectedExits: string[] = [];
  const died = Promise.withResolvers<string>();

  function find(name: string): Entry {
    const entry = running.get(name);
    if (entry === undefined) throw new Error(`${name} does not run`);
    return entry;
  }

  function expectAllExits(): RunningProcess[] {
    for (const entry of running.values()) entry.isExitExpected = true;
    return [...running.values()].map(({ process }) => process);
  }

  return {
    unexpectedExits,
    died: died.promise,
    async start(plan, isReady) {
      signal?.throwIfAborted();
      if (running.has(plan.name)) throw new Error(`${plan.name} runs already`);
      const started = await launch(plan, ledger);
      // An exit before the process is ready rejects its start.
      const entry = { process: started, isExitExpected: true };
      running.set(plan.name, entry);
      void started.exited.then((how) => {
        if (running.get(plan.name) === entry) running.delete(plan.name);
        if (entry.isExitExpected) return;
        unexpectedExits.push(`${plan.name} ${how}.`);
        if (plan.isOptional) console.log(`${plan.name} ${how}. The others keep running.`);
        else died.resolve(`${plan.name} ${how}.\n${logTail(plan.logFile)}`);
      });
      await untilReady(started, isReady, signal);
      entry.isExitExpected = false;
    },
    pid: (name) => find(name).process.pid,
    async end(name, stopSignal) {
      const entry = find(name);
      entry.isExitExpected = true;
      process.kill(entry.process.pid, stopSignal);
      await entry.process.exited;
    },
    async stop() {
      for (const one of expectAllExits().toReversed()) await one.stop();
    },
    kill() {
      for (const one of expectAllExits()) one.kill();
    },
  };
}
