import { setTimeout as delay } from "node:timers/promises";
import { waitFor } from "@tapthru/local/stack/wait-for";

type Condition = () => boolean | Promise<boolean>;

/** Functions with which a trial waits; times are in milliseconds. They reject when the trial is aborted. */
export interface WaitFunctions {
  pause(ms: number): Promise<void>;
  /** Seconds until the condition is true; Infinity after the timeout. */
  secondsUntil(condition: Condition, timeoutMs: number, intervalMs?: number): Promise<number>;
  /** @throws after the timeout, with the description */
  until(
    description: string,
    condition: Condition,
    timeoutMs: number,
    intervalMs?: number,
  ): Promise<void>;
}

export function createWaitFunctions(signal: AbortSignal): WaitFunctions {
  const secondsUntil: WaitFunctions["secondsUntil"] = async (
    condition,
    timeoutMs,
    intervalMs = 50,
  ) => {
    const begin = performance.now();
    const isMet = await waitFor(condition, { within: timeoutMs, every: intervalMs, signal });
    return isMet ? (performance.now() - begin) / 1_000 : Number.POSITIVE_INFINITY;
  };
  return {
    pause: (ms) => delay(ms, undefined, { signal }),
    secondsUntil,
    async until(description, condition, timeoutMs, intervalMs) {
      if (Number.isFinite(await secondsUntil(condition, timeoutMs, intervalMs))) return;
      throw new Error(`timeout after ${timeoutMs / 1_000} s while waiting until ${description}`);
    },
  };
}
