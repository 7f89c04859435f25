import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onLoadCore } from "../testbed/cores.ts";
import type { Exchange, LoadPlan } from "./exchange.ts";

const GENERATOR = fileURLToPath(new URL("./generator.ts", import.meta.url));

export interface Load {
  /** Every exchange, once the last request has been answered or given up. */
  done: Promise<Exchange[]>;
  /** Sends no further request. */
  stop(): void;
}

/** Starts a steady load from a process of its own. */
export function startLoad(plan: LoadPlan, signal: AbortSignal): Load {
  const { command, args } = onLoadCore({ command: process.execPath, args: [GENERATOR] });
  const generator = spawn(command, args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    signal,
  });
  const done = exchangesOf(generator);
  // Whoever waits for it hears of it; a trial that breaks off does not wait.
  done.catch(() => {});
  generator.send(plan);
  return {
    done,
    stop: () => {
      if (generator.connected) generator.send("stop");
    },
  };
}

export function runLoad(plan: LoadPlan, signal: AbortSignal): Promise<Exchange[]> {
  return startLoad(plan, signal).done;
}

async function exchangesOf(generator: ChildProcess): Promise<Exchange[]> {
  const [result] = await Promise.race([once(generator, "message"), once(generator, "exit")]);
  if (Array.isArray(result)) return result;
  throw new Error(`The load's process ended with exit code ${result}.`);
}
