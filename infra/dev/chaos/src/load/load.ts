import { fileURLToPath } from "node:url";
import { type ChildOptions, resultOf, startChild } from "./child.ts";
import type { Exchange, LoadPlan } from "./exchange.ts";

const GENERATOR = fileURLToPath(new URL("./generator.ts", import.meta.url));

export interface Load {
  /** Every exchange, once the last request has been answered or given up. */
  done: Promise<Exchange[]>;
  /** Sends no further request. */
  stop(): void;
}

/** Starts a steady load from a process of its own. */
export function startLoad(plan: LoadPlan, signal: AbortSignal, options?: ChildOptions): Load {
  const generator = startChild(GENERATOR, plan, signal, options);
  const done = resultOf<Exchange[]>(generator);
  // Whoever waits for it hears of it; a trial that breaks off does not wait.
  done.catch(() => {});
  return {
    done,
    stop: () => {
      if (generator.connected) generator.send("stop");
    },
  };
}

export function runLoad(
  plan: LoadPlan,
  signal: AbortSignal,
  options?: ChildOptions,
): Promise<Exchange[]> {
  return startLoad(plan, signal, options).done;
}
