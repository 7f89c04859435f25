import type { Trial } from "../../fault-case.ts";
import { OPERATION_GROUPS, pausedSeconds, runSoak, type SoakPlan, sumOf } from "./soak-load.ts";

const STEP_S = 4;
const FIRST_RATE = 20;
const RATE_FACTOR = 1.5;
/** A rate is above the capacity when a larger part of its operations fails or takes over a second. */
const MAX_BAD_SHARE = 0.05;
/** Or when the load generator pauses for longer than it sends. */
const MAX_PAUSED_S = STEP_S;
/** At the first rate, so that code is compiled and connections are open. */
const WARM_UP_S = 10;

interface Dependencies extends Pick<Trial, "signal" | "log"> {
  send?: typeof runSoak;
}

/**
 * The highest rate of operations per second that is sent and served; each rate is sent for a few seconds.
 * @param enough higher rates are not tried
 * @throws if even the first rate is not served
 */
export async function findCapacity(
  { signal, log, send = runSoak }: Dependencies,
  plan: Omit<SoakPlan, "perSecond" | "total">,
  enough = Number.POSITIVE_INFINITY,
): Promise<number> {
  const firstTotal = FIRST_RATE * WARM_UP_S;
  await send({ ...plan, perSecond: FIRST_RATE, total: firstTotal }, signal);
  let highest = 0;
  for (let perSecond = FIRST_RATE; highest < enough; perSecond *= RATE_FACTOR) {
    const total = Math.round(perSecond * STEP_S);
    const windows = await send({ ...plan, perSecond, total }, signal);
    const bad = OPERATION_GROUPS.map(
      (group) => sumOf(windows, group, "failed") + sumOf(windows, group, "late"),
    ).reduce((sum, count) => sum + count, 0);
    log(`${Math.round(perSecond)} operations per second: ${bad} of ${total} failed or late`);
    if (bad > MAX_BAD_SHARE * total || pausedSeconds(windows) > MAX_PAUSED_S) break;
    highest = perSecond;
  }
  if (highest > 0) return highest;
  throw new Error(`${FIRST_RATE} operations per second are above the capacity`);
}
