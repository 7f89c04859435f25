import { type Random, shuffled } from "../random.ts";

export interface PlannedCrash<Target> {
  atMs: number;
  target: Target;
}

/** Random instants within a duration; targets are chosen equally often, with a difference of one at most. */
export function planCrashes<Target>(
  targets: readonly Target[],
  { count, durationMs }: { count: number; durationMs: number },
  random: Random,
): PlannedCrash<Target>[] {
  const rounds = Math.ceil(count / targets.length);
  const order = Array.from({ length: rounds }, () => shuffled(targets, random)).flat();
  const instants = Array.from({ length: count }, () => random() * durationMs).sort((a, b) => a - b);
  return instants.map((atMs, index) => ({ atMs, target: order[index] as Target }));
}
