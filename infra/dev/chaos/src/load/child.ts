import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { onLoadCore } from "../testbed/cores.ts";

export interface ChildOptions {
  /** To the other programs on the load's core, where those are the ones that are timed. */
  givesWay?: boolean;
}

/** Starts one of the load's programs on the load's core, and tells it what to do. */
export function startChild(
  program: string,
  plan: object,
  signal: AbortSignal,
  { givesWay = false }: ChildOptions = {},
): ChildProcess {
  const { command, args } = onLoadCore({ command: process.execPath, args: [program] });
  const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit", "ipc"], signal });
  if (givesWay && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  child.send(plan);
  return child;
}

/** What it says in the end. */
export async function resultOf<T extends object>(child: ChildProcess): Promise<T> {
  const [result] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (typeof result === "object" && result !== null) return result;
  throw new Error(`The load's process ended with exit code ${result}.`);
}
