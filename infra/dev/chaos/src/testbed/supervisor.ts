import type { OpenLedger } from "@tapthru/local/processes/process-ledger";
import {
  launch,
  logTail,
  type ProcessPlan,
  type RunningProcess,
  untilReady,
} from "@tapthru/local/processes/running-process";
import type { Stack } from "@tapthru/local/stack/stack";
import { offLoadCore } from "./cores.ts";

/** A running stack whose processes can be ended and started again. */
export interface Supervisor extends Stack {
  /** The pid is also the id of the process group. */
  pid(name: string): number;
  /** Sends a signal to the process only, and waits until it and its group have exited. */
  end(name: string, signal: NodeJS.Signals): Promise<void>;
  /** One sentence for each process that exited unexpectedly. */
  unexpectedExits: readonly string[];
}

interface Supervised {
  process: RunningProcess;
  isExitExpected: boolean;
}

/** @param signal aborts waiting for a process to become ready */
export function createSupervisor(ledger: OpenLedger, signal: AbortSignal): Supervisor {
  const running = new Map<string, Supervised>();
  const unexpectedExits: string[] = [];
  const died = Promise.withResolvers<string>();

  function find(name: string): Supervised {
    const supervised = running.get(name);
    if (supervised === undefined) throw new Error(`${name} does not run`);
    return supervised;
  }

  function expectAllExits(): RunningProcess[] {
    for (const supervised of running.values()) supervised.isExitExpected = true;
    return [...running.values()].map(({ process }) => process);
  }

  return {
    unexpectedExits,
    died: died.promise,
    async start(plan: ProcessPlan, isReady) {
      signal.throwIfAborted();
      const started = await launch({ ...plan, ...offLoadCore(plan) }, ledger);
      // An exit before the process is ready rejects its start.
      const supervised = { process: started, isExitExpected: true };
      running.set(plan.name, supervised);
      void started.exited.then((reason) => {
        if (running.get(plan.name) === supervised) running.delete(plan.name);
        if (supervised.isExitExpected) return;
        unexpectedExits.push(`${plan.name} ${reason}.`);
        died.resolve(`${plan.name} ${reason}.\n${logTail(plan.logFile)}`);
      });
      await untilReady(started, isReady, signal);
      supervised.isExitExpected = false;
    },
    pid: (name) => find(name).process.pid,
    async end(name, stopSignal) {
      const supervised = find(name);
      supervised.isExitExpected = true;
      process.kill(supervised.process.pid, stopSignal);
      await supervised.process.exited;
    },
    async stop() {
      const all = expectAllExits();
      // A frozen process would not exit.
      for (const { pid } of all) thaw(pid);
      for (const one of all.toReversed()) await one.stop();
    },
    kill() {
      for (const one of expectAllExits()) one.kill();
    },
  };
}

function thaw(group: number): void {
  try {
    process.kill(-group, "SIGCONT");
  } catch {
    // The process group has exited.
  }
}
