import type { ProcessPlan } from "@tapthru/local/processes/running-process";

const PRELOAD = new URL("./shifted-clock.ts", import.meta.url).href;

/** Shifts a service's clock and keeps its other Node options. */
export function shiftClock(ms: number) {
  return (plan: ProcessPlan): ProcessPlan => {
    const NODE_OPTIONS = `${plan.env?.NODE_OPTIONS ?? ""} --import=${PRELOAD}`.trim();
    return { ...plan, env: { ...plan.env, NODE_OPTIONS, CLOCK_SHIFT_MS: String(ms) } };
  };
}
