import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { step } from "../stack/step.ts";
import { waitFor } from "../stack/wait-for.ts";
import type { Guard, GuardedProcess } from "./guard.ts";

/** Long enough for one busy core. */
const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 15_000;
const LOG_TAIL_LINES = 25;
const RESTARTS_PER_MINUTE = 3;
/** infra/dev/days.sh gives all programs another time by these variables. */
const CLOCK = Object.fromEntries(
  ["LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC", "NO_FAKE_STAT"].map((name) => [name, process.env[name]]),
);

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
  /** Starts the process again, if it takes more than this plan. */
  startAgain?: () => Promise<void>;
  readyWithinMs?: number;
  stopWithinMs?: number;
}

/** Processes, in the order of their first start. */
export interface Stack {
  /** Resolves when the process is ready; throws with the end of its log otherwise. */
  start(plan: ProcessPlan, isReady: () => Promise<boolean>): Promise<void>;
  /** The process id of a running process, which is also the id of its process group. */
  pid(name: string): number;
  /** Sends a signal to the process only, and waits until it and its group have exited. */
  end(name: string, signal: NodeJS.Signals): Promise<void>;
  /** One sentence for each process that exited unexpectedly after it was ready. */
  unexpectedExits: readonly string[];
  /** Resolves with a message when a process has ended by itself and is not started again. */
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

/**
 * @param signal stops waiting for a process that is starting
 * @param restarts whether a process that ended by itself is started again
 */
export function createStack(guard: Guard, signal?: AbortSignal, restarts = false): Stack {
  /** By name. One that is started again keeps its place. */
  const processes = new Map<string, RunningProcess>();
  const restartTimes = new Map<string, number[]>();
  const unexpectedExits: string[] = [];
  const died = Promise.withResolvers<string>();
  let isStopping = false;

  const isRunning = (name: string) => processes.get(name)?.hasExited === false;
  const running = () => [...processes.values()].filter(({ name }) => isRunning(name));
  const find = (name: string) => {
    const found = processes.get(name);
    if (found === undefined || found.hasExited) throw new Error(`${name} does not run`);
    return found;
  };

  const start: Stack["start"] = async (plan, isReady) => {
    const { name, logFile, readyWithinMs: within = READY_TIMEOUT_MS } = plan;
    signal?.throwIfAborted();
    if (isStopping) throw new Error("The stack is stopping");
    if (isRunning(name)) throw new Error(`${name} runs already`);
    const started = await launch(plan);
    processes.set(name, started);
    guard.protect(running());
    void started.exited.then((how) => {
      guard.protect(running());
      if (started.isExitExpected) return;
      unexpectedExits.push(`${name} ${how}.`);
      if (restarts) void startAgain(plan, isReady, `${name} ${how}.`);
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
  };

  /** @param problem a sentence that says why the process is not ready */
  async function startAgain(plan: ProcessPlan, isReady: () => Promise<boolean>, problem: string): Promise<void> {
    if (isStopping) return;
    const { name, logFile } = plan;
    const times = restartTimes.get(name) ?? [];
    const isLimitReached = (times.at(-RESTARTS_PER_MINUTE) ?? 0) > Date.now() - 60_000;
    if (isLimitReached || isRunning(name)) {
      const count = isLimitReached ? ` It was started again ${RESTARTS_PER_MINUTE} times in the last minute.` : "";
      died.resolve(`${problem}${count}\n${logTail(logFile)}`);
      return;
    }
    restartTimes.set(name, [...times, Date.now()]);
    console.log(`${problem} It is started again. Its log is ${logFile}`);
    try {
      await step(name, plan.startAgain ?? (() => start(plan, isReady)));
    } catch (error) {
      const { message } = error instanceof Error ? error : new Error(String(error));
      await startAgain(plan, isReady, message.split("\n", 1).join());
    }
  }

  return {
    unexpectedExits,
    died: died.promise,
    start,
    pid: (name) => find(name).pid,
    async end(name, stopSignal) {
      const found = find(name);
      found.isExitExpected = true;
      process.kill(found.pid, stopSignal);
      await found.exited;
    },
    async stop() {
      isStopping = true;
      for (const one of running()) one.isExitExpected = true;
      for (const one of running().reverse()) await stop(one);
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
    env: plan.env ? { ...CLOCK, ...plan.env } : process.env,
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
