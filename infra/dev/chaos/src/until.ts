import { waitFor } from "@tapthru/local/stack/wait-for";

type Condition = () => boolean | Promise<boolean>;

interface WaitOptions {
  timeoutMs: number;
  intervalMs?: number;
  signal: AbortSignal;
}

/** Seconds until the condition is true; Infinity after the timeout. */
export async function secondsUntil(condition: Condition, options: WaitOptions): Promise<number> {
  const { timeoutMs, intervalMs = 50, signal } = options;
  const begin = performance.now();
  const isMet = await waitFor(condition, { within: timeoutMs, every: intervalMs, signal });
  return isMet ? (performance.now() - begin) / 1_000 : Number.POSITIVE_INFINITY;
}

/** @throws after the timeout, with the description */
export async function until(
  description: string,
  condition: Condition,
  options: WaitOptions,
): Promise<void> {
  const seconds = await secondsUntil(condition, options);
  if (!Number.isFinite(seconds)) {
    throw new Error(
      `timeout after ${options.timeoutMs / 1_000} s while waiting until ${description}`,
    );
  }
}
