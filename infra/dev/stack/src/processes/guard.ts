import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";

export interface GuardedProcess {
  name: string;
  pid: number;
  stopSignal: NodeJS.Signals;
  stopWithinMs: number;
}

/** The stack that runs with a data folder. */
export interface Run {
  /** The pid of `start`. */
  owner: number;
  /** The owner has ended, and its guard is ending the others. */
  isEnding: boolean;
  processes: GuardedProcess[];
}

export interface Guard {
  /** Replaces the processes that the guard ends. */
  protect(processes: readonly GuardedProcess[]): void;
  readonly hasEnded: boolean;
  close(): Promise<void>;
}

export interface GuardOptions {
  /** The path of a socket that describes the run. */
  socket?: string;
  /** The folders that the guard removes at the end. */
  temporaryFolders?: readonly string[];
}

const PROGRAM = join(import.meta.dirname, "guard-process.ts");

/** Starts a process that ends the processes of this one if this one is killed. */
export function startGuard(options: GuardOptions): Guard {
  const guard = spawn(process.execPath, [PROGRAM, JSON.stringify(options)], {
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const exited = once(guard, "exit");
  guard.stdin.on("error", () => {});
  guard.unref();
  return {
    get hasEnded() {
      return guard.exitCode !== null;
    },
    protect(processes) {
      const line = JSON.stringify(processes, ["name", "pid", "stopSignal", "stopWithinMs"]);
      guard.stdin.write(`${line}\n`);
    },
    async close() {
      guard.ref();
      guard.stdin.end();
      await exited;
    },
  };
}

/**
 * Starts the guard of a data folder, after the guard of a killed run has ended.
 * @throws UserFacingError while another run uses the folder
 */
export async function guardDataFolder(dataDir: string): Promise<Guard> {
  const socket = socketOf(dataDir);
  const guard = startGuard({ socket });
  for (;;) {
    const run = await readRun(socket);
    if (run?.owner === process.pid) return guard;
    if (run !== null && !run.isEnding) {
      await guard.close();
      throw new UserFacingError(`Tapthru is already running here (process ${run.owner}): stop it first, with Ctrl-C.`);
    }
    if (guard.hasEnded) throw new UserFacingError(`The guard of ${dataDir} did not start.`);
    await delay(20);
  }
}

/** The run that uses the data folder; null if there is none. */
export function runOf(dataDir: string): Promise<Run | null> {
  return readRun(socketOf(dataDir));
}

/** The run that the guard with this socket describes; null if there is none. */
export async function readRun(socket: string): Promise<Run | null> {
  try {
    return JSON.parse(await text(connect(socket)));
  } catch {
    return null;
  }
}

/** Not in the data folder, whose path may be too long for a socket. */
function socketOf(dataDir: string): string {
  const hash = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  return join(tmpdir(), `tapthru-${hash}.sock`);
}
