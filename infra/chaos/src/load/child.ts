import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onLoadCore } from "../testbed/cores.ts";

/** Starts one of the load's programs on the load's core, and tells it what to do. */
export function startChild(program: string, plan: object, signal: AbortSignal): ChildProcess {
  const { command, args } = onLoadCore({ command: process.execPath, args: [program] });
  const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit", "ipc"], signal });
  child.send(plan);
  return child;
}

/** What it says in the end. */
export async function resultOf<T extends object>(child: ChildProcess): Promise<T> {
  const [result] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (typeof result === "object" && result !== null) return result;
  throw new Error(`The load's process ended with exit code ${result}.`);
}
