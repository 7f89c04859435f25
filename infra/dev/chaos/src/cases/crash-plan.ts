import { type Random, shuffled } from "../random.ts";

export interface PlannedCrash<Victim> {
  atMs: number;
  victim: Victim;
}

/** Random instants within a time; every victim gets its turn as often as any other, give or take one. */
export function planCrashes<Victim>(
  victims: readonly Victim[],
  { count, withinMs }: { count: number; withinMs: number },
  random: Random,
): PlannedCrash<Victim>[] {
  const rounds = Math.ceil(count / victims.length);
  const turns = Array.from({ length: rounds }, () => shuffled(victims, random)).flat();
  const instants = Array.from({ length: count }, () => random() * withinMs).sort((a, b) => a - b);
  return instants.map((atMs, index) => ({ atMs, victim: turns[index] as Victim }));
}
