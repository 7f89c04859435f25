import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { waitFor } from "../stack/wait-for.ts";
import { UserFacingError } from "../user-facing-error.ts";
import type { OpenLedger } from "./process-ledger.ts";

/** Far more than it takes, also on one busy core: what will never be ready ends by itself. */
const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 15_000;
const LOG_TAIL_LINES = 25;

export interface ProcessPlan {
  name: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  user?: { uid: number; gid: number };
  logFile: string;
  /** The signal on which the program ends in good order. */
  stopSignal: NodeJS.Signals;
  /** The stack goes on when it dies, as the product does. */
  isOptional?: boolean;
  readyWithinMs?: number;
  stopWithinMs?: number;
}

export interface RunningProcess {
  plan: ProcessPlan;
  /** Of the process and of the group it leads. */
  pid: number;
  /** How it ended, as the end of a sentence: "ended with exit code 1". */
  exited: Promise<string>;
  hasExited(): boolean;
  /** Ends it in good order, or by force when that takes too long. */
  stop(): Promise<void>;
  /** Ends it and its own children at once. */
  kill(): void;
}

/**
 * Starts a program in a process group of its own, so that a Ctrl-C in the terminal reaches us alone
 * and the order of stopping is ours.
 */
export async function launch(plan: ProcessPlan, ledger: OpenLedger): Promise<RunningProcess> {
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
  ledger.add({ name: plan.name, pid, stopSignal: plan.stopSignal });

  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const exited = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => {
      killGroup(pid);
      ledger.remove(pid);
      resolve(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`);
    });
  });

  return {
    plan,
    pid,
    exited,
    hasExited,
    async stop() {
      if (!hasExited()) child.kill(plan.stopSignal);
      const within = plan.stopWithinMs ?? STOP_WITHIN_MS;
      if (!(await waitFor(hasExited, { within, every: 10 }))) killGroup(pid);
      await exited;
    },
    kill() {
      if (!hasExited()) killGroup(pid);
    },
  };
}

async function failToStart(child: ChildProcess, plan: ProcessPlan): Promise<never> {
  const [error] = await once(child, "error");
  throw new UserFacingError(`${plan.name} could not be started: ${error}`);
}

function killGroup(pid: number) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is empty already.
  }
}

/** Waits until the program answers; throws with the end of its log when it dies or stays silent. */
export async function untilReady(
  { plan, exited, hasExited }: RunningProcess,
  isReady: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  const within = plan.readyWithinMs ?? READY_WITHIN_MS;
  const settled = await waitFor(async () => hasExited() || (await isReady()), {
    within,
    ...(signal ? { signal } : {}),
  });
  if (settled && !hasExited()) return;
  const how = hasExited() ? await exited : `did not answer within ${within / 1000} s`;
  throw new UserFacingError(`${plan.name} ${how}.\n${logTail(plan.logFile)}`);
}

export function logTail(logFile: string): string {
  return readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-LOG_TAIL_LINES).join("\n");
}
