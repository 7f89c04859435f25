import type { ProcessPlan } from "@tapthru/local/processes/running-process";

const PRELOAD = new URL("./shifted-clock.ts", import.meta.url).href;

/** Shifts a service's clock. */
export function shiftClock(ms: number) {
  return (plan: ProcessPlan): ProcessPlan => ({
    ...plan,
    env: { ...plan.env, NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_SHIFT_MS: String(ms) },
  });
}
