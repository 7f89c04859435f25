import { type ResourceSample, type Service, sampleResources } from "../../evidence/resources.ts";
import { sampleWhile } from "../../evidence/sampling.ts";
import type { Trial } from "../../fault-case.ts";
import { findCapacity } from "./find-capacity.ts";
import { runSoak, type SoakPlan, type SoakWindow } from "./soak-load.ts";

const WINDOW_S = 5;
const SAMPLE_MS = 5_000;
/** At the same rate, before the figures count. */
const WARM_UP_S = 60;

interface Options<T> {
  plan: Omit<SoakPlan, "perSecond" | "total" | "windowSeconds">;
  maxPerSecond: number;
  /** Number of operations at this rate. */
  total(perSecond: number): number;
  services: readonly Service[];
  /** Runs while the figures are measured. @param seconds that the load takes */
  whileLoaded(seconds: number): Promise<T>;
}

export interface MeasuredSoak<T> {
  capacity: number;
  perSecond: number;
  windows: readonly SoakWindow[];
  samples: readonly ResourceSample[];
  result: T;
}

/** Finds the capacity of the stack, warms it up with half of that, and measures it under the same load. */
export async function measureSoak<T>(
  trial: Trial,
  { maxPerSecond, total, services, whileLoaded, ...options }: Options<T>,
): Promise<MeasuredSoak<T>> {
  const { testbed, signal, log } = trial;
  const plan = { ...options.plan, windowSeconds: WINDOW_S };
  const capacity = await findCapacity(trial, plan, 2 * maxPerSecond);
  const perSecond = Math.min(maxPerSecond, capacity / 2);
  log(`${Math.round(perSecond)} operations per second to warm up`);
  await runSoak({ ...plan, perSecond, total: Math.round(perSecond * WARM_UP_S) }, signal);
  const operations = total(perSecond);
  log(`the same until ${operations} operations are sent`);
  const load = { ...plan, perSecond, total: operations };
  const [samples, [windows, result]] = await sampleWhile(
    () => sampleResources(testbed, services),
    () => Promise.all([runSoak(load, signal), whileLoaded(operations / perSecond)]),
    SAMPLE_MS,
  );
  return { capacity, perSecond, windows, samples, result };
}
