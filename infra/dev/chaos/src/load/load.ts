import { fileURLToPath } from "node:url";
import { type ChildOptions, collectMessages, startChild } from "./child.ts";
import type { Exchange, LoadPlan } from "./exchange.ts";

const GENERATOR = fileURLToPath(new URL("./generator.ts", import.meta.url));

export interface RunningLoad {
  /** Resolves with all exchanges when the last request has a response or has timed out. */
  done: Promise<Exchange[]>;
  /** Stops sending requests. */
  stop(): void;
}

/** Starts a constant load in a separate process. */
export function startLoad(
  plan: LoadPlan,
  signal: AbortSignal,
  options?: ChildOptions,
): RunningLoad {
  const generator = startChild(GENERATOR, plan, signal, options);
  const done = collectMessages<Exchange[]>(generator).then((batches) => batches.flat());
  // An aborted trial does not await this promise.
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
