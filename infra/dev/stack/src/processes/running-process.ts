import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { waitFor } from "../stack/wait-for.ts";
import { UserFacingError } from "../user-facing-error.ts";
import type { OpenLedger } from "./process-ledger.ts";

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
  readyWithinMs?: number;
  stopWithinMs?: number;
}

export interface RunningProcess {
  plan: ProcessPlan;
  /** Id of the process, and of the process group that it leads. */
  pid: number;
  /** Resolves when the process ends, with a message such as "ended with exit code 1". */
  exited: Promise<string>;
  hasExited(): boolean;
  /** Shuts it down gracefully, or kills it after `stopWithinMs`. */
  stop(): Promise<void>;
  /** Kills it and its children at once. */
  kill(): void;
}

/**
 * Starts a program in a new process group, so that Ctrl-C in the terminal reaches only this process,
 * which then stops the others in order.
 */
export async function launch(plan: ProcessPlan, ledger: OpenLedger): Promise<RunningProcess> {
  const { name, stopSignal = "SIGTERM", stopWithinMs: within = STOP_TIMEOUT_MS } = plan;
  const log = openSync(plan.logFile, "a", 0o600);
  const child = spawn(plan.command, plan.args, {
    detached: true,
    stdio: ["ignore", log, log],
    env: plan.env ?? process.env,
    ...(plan.cwd === undefined ? {} : { cwd: plan.cwd }),
    ...plan.user,
  });
  closeSync(log);
  const pid = child.pid ?? (await failToStart(child, plan));
  ledger.add({ name, pid, stopSignal });

  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const exited = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => {
      signalGroup(pid, "SIGKILL");
      ledger.remove(pid);
      resolve(signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`);
    });
  });

  return {
    plan,
    pid,
    exited,
    hasExited,
    async stop() {
      // A frozen process would not exit.
      signalGroup(pid, "SIGCONT");
      if (!hasExited()) child.kill(stopSignal);
      if (!(await waitFor(hasExited, { within, every: 10 }))) signalGroup(pid, "SIGKILL");
      await exited;
    },
    kill() {
      if (!hasExited()) signalGroup(pid, "SIGKILL");
    },
  };
}

async function failToStart(child: ChildProcess, plan: ProcessPlan): Promise<never> {
  const [error] = await once(child, "error");
  throw new UserFacingError(`${plan.name} failed to start: ${error}`);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // All processes of the group have ended.
  }
}

/**
 * Waits until the program is ready.
 * @throws UserFacingError with the end of its log, if it ends or is not ready in time
 */
export async function untilReady(
  { plan, exited, hasExited }: RunningProcess,
  isReady: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  const within = plan.readyWithinMs ?? READY_TIMEOUT_MS;
  const isSettled = await waitFor(async () => hasExited() || (await isReady()), {
    within,
    ...(signal ? { signal } : {}),
  });
  if (isSettled && !hasExited()) return;
  const failure = hasExited() ? await exited : `was not ready within ${within / 1000} s`;
  throw new UserFacingError(`${plan.name} ${failure}.\n${logTail(plan.logFile)}`);
}

export function logTail(logFile: string): string {
  return readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-LOG_TAIL_LINES).join("\n");
}
