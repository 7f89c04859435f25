import { waitFor } from "@tapthru/local/stack/wait-for";

type Condition = () => boolean | Promise<boolean>;

interface Patience {
  withinMs: number;
  everyMs?: number;
  signal: AbortSignal;
}

/** How long it takes until it is so; Infinity when that is longer than one is patient. */
export async function secondsUntil(condition: Condition, patience: Patience): Promise<number> {
  const { withinMs, everyMs = 50, signal } = patience;
  const begin = performance.now();
  const isSo = await waitFor(condition, { within: withinMs, every: everyMs, signal });
  return isSo ? (performance.now() - begin) / 1_000 : Number.POSITIVE_INFINITY;
}

/** @throws naming what was waited for in vain */
export async function until(what: string, condition: Condition, patience: Patience): Promise<void> {
  const seconds = await secondsUntil(condition, patience);
  if (!Number.isFinite(seconds)) {
    throw new Error(`waited ${patience.withinMs / 1_000} s in vain until ${what}`);
  }
}
