import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { onLoadCore } from "../testbed/cores.ts";

export interface ChildOptions {
  /** For a load whose latency is not measured, beside one whose latency is. */
  isLowPriority?: boolean;
}

/** Starts a load program on the load's core and sends it its plan. */
export function startChild(
  program: string,
  plan: object,
  signal: AbortSignal,
  { isLowPriority = false }: ChildOptions = {},
): ChildProcess {
  const { command, args } = onLoadCore({ command: process.execPath, args: [program] });
  const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit", "ipc"], signal });
  if (isLowPriority && child.pid !== undefined)
    setPriority(child.pid, constants.priority.PRIORITY_LOW);
  child.send(plan);
  return child;
}

/** The result that the program sends at its end. */
export async function resultOf<T extends object>(child: ChildProcess): Promise<T> {
  const [result] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (typeof result === "object" && result !== null) return result;
  throw new Error(`The load's process ended with exit code ${result}.`);
}
