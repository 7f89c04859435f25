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

/** The running stack, of which any process may be ended on purpose and started again. */
export interface Supervisor extends Stack {
  /** Of the process and of the group it leads. */
  pid(name: string): number;
  /** Sends a signal to the process alone, and waits until it and its group have ended. */
  end(name: string, signal: NodeJS.Signals): Promise<void>;
  /** The processes that ended although nobody asked them to, a sentence each. */
  deaths: readonly string[];
}

interface Supervised {
  process: RunningProcess;
  mayEnd: boolean;
}

/** @param signal ends the waiting for a process that is coming up */
export function createSupervisor(ledger: OpenLedger, signal: AbortSignal): Supervisor {
  const running = new Map<string, Supervised>();
  const deaths: string[] = [];
  const died = Promise.withResolvers<string>();

  function find(name: string): Supervised {
    const supervised = running.get(name);
    if (supervised === undefined) throw new Error(`${name} does not run`);
    return supervised;
  }

  function allMayEnd(): RunningProcess[] {
    for (const supervised of running.values()) supervised.mayEnd = true;
    return [...running.values()].map(({ process }) => process);
  }

  return {
    deaths,
    died: died.promise,
    async start(plan: ProcessPlan, isReady) {
      signal.throwIfAborted();
      const started = await launch({ ...plan, ...offLoadCore(plan) }, ledger);
      // One that ends before it is ready fails its start, which tells of it.
      const supervised = { process: started, mayEnd: true };
      running.set(plan.name, supervised);
      void started.exited.then((how) => {
        if (running.get(plan.name) === supervised) running.delete(plan.name);
        if (supervised.mayEnd) return;
        deaths.push(`${plan.name} ${how}.`);
        died.resolve(`${plan.name} ${how}.\n${logTail(plan.logFile)}`);
      });
      await untilReady(started, isReady, signal);
      supervised.mayEnd = false;
    },
    pid: (name) => find(name).process.pid,
    async end(name, how) {
      const supervised = find(name);
      supervised.mayEnd = true;
      process.kill(supervised.process.pid, how);
      await supervised.process.exited;
    },
    async stop() {
      const all = allMayEnd();
      // One that a trial left frozen would hold up itself and those that wait for it.
      for (const { pid } of all) thaw(pid);
      for (const one of all.toReversed()) await one.stop();
    },
    kill() {
      for (const one of allMayEnd()) one.kill();
    },
  };
}

function thaw(group: number): void {
  try {
    process.kill(-group, "SIGCONT");
  } catch {
    // It has ended meanwhile.
  }
}
