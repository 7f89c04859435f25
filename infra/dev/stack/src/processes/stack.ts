import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { printError, UserFacingError } from "@tapthru/runtime/user-facing-error";
import { waitFor } from "../stack/wait-for.ts";
import type { Guard, GuardedProcess } from "./guard.ts";

/** Long enough for one busy core. */
const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 15_000;
const LOG_TAIL_LINES = 25;

export interface ProcessPlan {
  name: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  user?: { uid: number; gid: number };
  logFile: string;
  /** The signal for a graceful shutdown, by default SIGTERM. */
  stopSignal?: NodeJS.Signals;
  /** The stack keeps running when this process ends, because the product works without it. */
  isOptional?: boolean;
  /** Runs before the shutdown of a process that was ready. */
  beforeStop?: () => Promise<void>;
  readyWithinMs?: number;
  stopWithinMs?: number;
}

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
}

type RunningProcess = ProcessPlan &
  GuardedProcess & {
    /** Resolves when the process ends, with a message such as "ended with exit code 1". */
    exited: Promise<string>;
    hasExited: boolean;
    isExitExpected: boolean;
  };

/** @param signal stops waiting for a process that is starting */
export function createStack(guard: Guard, signal?: AbortSignal): Stack {
  const running = new Map<string, RunningProcess>();
  const unexpectedExits: string[] = [];
  const died = Promise.withResolvers<string>();

  const find = (name: string) => {
    const found = running.get(name);
    if (found === undefined) throw new Error(`${name} does not run`);
    return found;
  };
  const protectRunning = () => guard.protect([...running.values()]);

  return {
    unexpectedExits,
    died: died.promise,
    async start(plan, isReady) {
      const { name, logFile, isOptional, readyWithinMs: within = READY_TIMEOUT_MS } = plan;
      signal?.throwIfAborted();
      if (running.has(name)) throw new Error(`${name} runs already`);
      const started = await launch(plan);
      running.set(name, started);
      protectRunning();
      void started.exited.then((how) => {
        running.delete(name);
        protectRunning();
        if (started.isExitExpected) return;
        unexpectedExits.push(`${name} ${how}.`);
        if (isOptional) console.log(`${name} ${how}. The others keep running.`);
        else died.resolve(`${name} ${how}.\n${logTail(logFile)}`);
      });
      const isSettled = await waitFor(async () => started.hasExited || (await isReady()), {
        within,
        ...(signal && { signal }),
      });
      if (!isSettled || started.hasExited) {
        const how = started.hasExited ? await started.exited : `was not ready within ${within} ms`;
        throw new UserFacingError(`${name} ${how}.\n${logTail(logFile)}`);
      }
      started.isExitExpected = false;
    },
    pid: (name) => find(name).pid,
    async end(name, stopSignal) {
      const found = find(name);
      found.isExitExpected = true;
      process.kill(found.pid, stopSignal);
      await found.exited;
    },
    async stop() {
      const ready = [...running.values()].filter((one) => !one.isExitExpected);
      for (const one of running.values()) one.isExitExpected = true;
      for (const one of [...running.values()].reverse()) {
        if (ready.includes(one)) await one.beforeStop?.().catch(printError);
        await stop(one);
      }
    },
  };
}

/**
 * Starts a program in a new process group, so that Ctrl-C in the terminal reaches only this process,
 * which then stops the others in order.
 */
async function launch(plan: ProcessPlan): Promise<RunningProcess> {
  const { name, cwd, stopSignal = "SIGTERM", stopWithinMs = STOP_TIMEOUT_MS } = plan;
  const log = openSync(plan.logFile, "a", 0o600);
  const child = spawn(plan.command, plan.args, {
    detached: true,
    stdio: ["ignore", log, log],
    env: plan.env ?? process.env,
    ...(cwd !== undefined && { cwd }),
    ...plan.user,
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) {
    const [error] = await once(child, "error");
    throw new UserFacingError(`${name} failed to start: ${error}`);
  }
  const exited = once(child, "exit").then(([code, signal]) => {
    running.hasExited = true;
    signalGroup(pid, "SIGKILL");
    return signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`;
  });
  // An exit before the process is ready rejects its start.
  const state = { hasExited: false, isExitExpected: true };
  const guarded = { name, pid, stopSignal, stopWithinMs };
  const running: RunningProcess = { ...plan, ...guarded, ...state, exited };
  return running;
}

/** Shuts the process down gracefully, or kills it and its children after `stopWithinMs`. */
async function stop(process: RunningProcess): Promise<void> {
  const { pid, stopSignal, stopWithinMs: within } = process;
  // A frozen process would not exit.
  signalGroup(pid, "SIGCONT");
  signalProcess(pid, stopSignal);
  if (!(await waitFor(() => process.hasExited, { within, every: 10 }))) signalGroup(pid, "SIGKILL");
  await process.exited;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  signalProcess(-pid, signal);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

function logTail(logFile: string): string {
  return readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-LOG_TAIL_LINES).join("\n");
}
