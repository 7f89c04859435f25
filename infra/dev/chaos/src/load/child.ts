import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { onLoadCore } from "../testbed/cores.ts";

export interface ChildOptions {
  /** Set for a load whose latency is not measured, while the latency of another load is. */
  isLowPriority?: boolean;
}

/** Starts a load program on the core reserved for the load, and sends it the plan. */
export function startChild(
  program: string,
  plan: object,
  signal: AbortSignal,
  { isLowPriority = false }: ChildOptions = {},
): ChildProcess {
  const { command, args } = onLoadCore({
    command: process.execPath,
    // With a small heap for new objects, garbage collections would delay requests.
    args: ["--max-semi-space-size=128", program],
  });
  const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit", "ipc"], signal });
  if (isLowPriority && child.pid !== undefined)
    setPriority(child.pid, constants.priority.PRIORITY_LOW);
  child.send(plan);
  return child;
}

/** The messages that the program sends until it disconnects. */
export async function collectMessages<T extends object>(child: ChildProcess): Promise<T[]> {
  const messages: T[] = [];
  child.on("message", (message: T) => messages.push(message));
  const [[code]] = await Promise.all([once(child, "exit"), once(child, "disconnect")]);
  if (code !== 0) throw new Error(`The load's process ended with exit code ${code}.`);
  return messages;
}
